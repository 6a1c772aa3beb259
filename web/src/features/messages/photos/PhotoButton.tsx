import { ActionIcon } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { lazy, useRef, useState } from 'react';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { t } from '../../../ui/text/text.ts';
import classes from './photos.module.css';

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
export function PhotoButton({ matchId, name, draft, onSent }: PhotoButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly File[] | null>(null);
  const close = () => setChosen(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('Photos to send')}
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null && currentTarget.files.length > 0) setChosen([...currentTarget.files]);
          currentTarget.value = '';
        }}
      />
      <ActionIcon
        className={classes.attach ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('Send photos')}
        aria-haspopup="dialog"
        onClick={() => input.current?.click()}
      >
        <IconPhotoPlus size={22} stroke={1.75} />
      </ActionIcon>
      {chosen !== null && (
        <LazyBoundary onClose={close}>
          <PhotoDialog
            matchId={matchId}
            name={name}
            files={chosen}
            draft={draft}
            onSent={() => {
              close();
              onSent();
            }}
            onClose={close}
          />
        </LazyBoundary>
      )}
    </>
  );
}
