import { ActionIcon } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { t } from '../../../ui/text/text.ts';
import classes from './photos.module.css';
import { usePhotoInput } from './use-photo-input.tsx';

const PhotoDialog = lazy(async () => ({ default: (await import('./PhotoDialog.tsx')).PhotoDialog }));

interface PhotoButtonProps {
  matchId: string;
  /** The other person's name. */
  name: string;
  /** What is in the message field, which becomes the caption. */
  draft: string;
  onSent: () => void;
}

/** Lets the member choose photos and opens the dialog that sends them. */
export function PhotoButton({ onSent, ...dialog }: PhotoButtonProps) {
  const [chosen, setChosen] = useState<readonly File[] | null>(null);
  const [input, open] = usePhotoInput(t('Photos to send'), setChosen);
  const close = () => setChosen(null);
  return (
    <>
      {input}
      <ActionIcon
        className={classes.attach ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('Send photos')}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconPhotoPlus size={22} stroke={1.75} />
      </ActionIcon>
      {chosen !== null && (
        <LazyBoundary onClose={close}>
          <PhotoDialog {...dialog} files={chosen} onSent={onSent} onClose={close} />
        </LazyBoundary>
      )}
    </>
  );
}
