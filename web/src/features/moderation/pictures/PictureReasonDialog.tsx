import { Group, Text } from '@mantine/core';
import type { Picture as PictureData } from '#contract/media.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { t } from '../../../ui/text/text.ts';
import { readyReasons } from './picture-words.ts';
import classes from './pictures.module.css';

interface PictureReasonDialogProps {
  picture: PictureData;
  /** The name of the picture's owner. */
  name: string;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a picture is rejected. The member will be able to read the reason. */
export function PictureReasonDialog({ picture, name, onReject, onClose }: PictureReasonDialogProps) {
  return (
    <ReasonDialog
      title={t('Reject the picture of {name}?', { name })}
      description={t('The member can read this.')}
      confirm={t('Reject')}
      suggestions={readyReasons}
      onConfirm={onReject}
      onClose={onClose}
    >
      <Group gap="1rem" wrap="nowrap">
        <div className={classes.rejected}>
          <Picture picture={picture} alt="" isEager />
        </div>
        <Text c="dimmed">
          {t('It is removed from the profile and cannot be uploaded again. This cannot be undone.')}
        </Text>
      </Group>
    </ReasonDialog>
  );
}
