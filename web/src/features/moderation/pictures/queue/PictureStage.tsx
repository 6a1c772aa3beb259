import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { QueuedPicture } from '#contract/media/media.ts';
import { useText } from '../../../../ui/text/text.ts';
import { LargePicture } from '../LargePicture.tsx';
import { ownerName } from '../picture-words.ts';
import classes from './PictureStage.module.css';
import { pictureButtonId } from './use-current-picture.ts';

interface StepProps {
  label: string;
  isEnd: boolean;
  onStep: () => void;
  children: ReactNode;
}

/** To the picture beside; at the end it keeps the focus, and does nothing. */
function Step({ label, isEnd, onStep, children }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      aria-disabled={isEnd || undefined}
      data-disabled={isEnd}
      onClick={() => {
        if (!isEnd) onStep();
      }}
    >
      {children}
    </ActionIcon>
  );
}

interface StageWayProps {
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onBack: () => void;
}

/** From one large picture to those beside it, and back to all. */
export function StageWay({ isFirst, isLast, onMove, onBack }: StageWayProps) {
  const t = useText();
  return (
    <div className={classes.way}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft className={classes.arrow} size={16} stroke={1.75} aria-hidden="true" />}
        onClick={onBack}
      >
        {t('All pictures')}
      </Button>
      <Step label={t('Previous picture')} isEnd={isFirst} onStep={() => onMove(-1)}>
        <IconChevronLeft className={classes.arrow} size={18} stroke={1.75} />
      </Step>
      <Step label={t('Next picture')} isEnd={isLast} onStep={() => onMove(1)}>
        <IconChevronRight className={classes.arrow} size={18} stroke={1.75} />
      </Step>
    </div>
  );
}

/** One of the pictures that wait, all of it and large; a press on it leads back to all of them. */
export function PictureStage({ picture, onBack }: { picture: QueuedPicture; onBack: () => void }) {
  const t = useText();
  const name = ownerName(picture.user, t);
  return (
    <button
      id={pictureButtonId(picture.publicId)}
      type="button"
      className={classes.picture}
      aria-label={t('The picture of {name}, enlarged. Back to all pictures', { name })}
      onClick={onBack}
    >
      <LargePicture picture={picture} alt="" />
    </button>
  );
}
