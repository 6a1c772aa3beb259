import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import classes from './photos.module.css';
import { usePhotoInput } from './use-photo-input.tsx';

const [PhotoDialog] = lazyPart(async () => (await import('./PhotoDialog.tsx')).PhotoDialog);

/** Loads the code for photos, so that they can be chosen and stored without a network. */
function loadForOffline(): void {
  void Promise.allSettled([import('./PhotoDialog.tsx'), import('./unsent-files.ts')]);
}

interface PhotoButtonProps {
  matchId: string;
  /** The other person's name. */
  name: string;
  /** What is in the message field, which becomes the caption. */
  draft: string;
  /** The photos that were chosen here, pasted or dropped; null for none. */
  chosen: readonly File[] | null;
  onChoose: (files: readonly File[] | null) => void;
  onSent: () => void;
}

/** Lets the member choose photos and opens the dialog that sends them. */
export function PhotoButton({ chosen, onChoose, onSent, ...dialog }: PhotoButtonProps) {
  const [input, open] = usePhotoInput(t`Photos to send`, onChoose);
  const close = () => onChoose(null);
  useEffect(loadForOffline, []);
  return (
    <>
      {input}
      <ActionIcon
        className={classes.attach ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t`Send photos`}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconPhotoPlus size={22} stroke={1.75} />
      </ActionIcon>
      {chosen !== null && <PhotoDialog {...dialog} files={chosen} onSent={onSent} onClose={close} />}
    </>
  );
}
