import type { OwnPicture } from '#contract/media/picture.ts';
import { useText } from '../../ui/text/text.ts';
import classes from './OwnPictures.module.css';

interface PictureAdviceProps {
  standing: readonly OwnPicture[];
  room: number;
  isEmpty: boolean;
}

/** Why pictures matter, which are fine, and what to do next; nothing where all is well. */
export function PictureAdvice({ standing, room, isEmpty }: PictureAdviceProps) {
  const t = useText();
  const hasProfilePicture = standing.some(({ isProfilePicture }) => isProfilePicture);
  return (
    <div className={classes.advice}>
      {isEmpty && (
        <p>
          {t(
            'No picture yet. People write to those whose face they know: one clear picture is enough to begin with. With friends, outdoors, at work, all of that is fine.',
          )}
        </p>
      )}
      {standing.length > 0 && !hasProfilePicture && (
        <p>{t('None of these is your profile picture. Choose the one that others see first.')}</p>
      )}
      {room === 0 && <p>{t('Nine pictures are the most. Delete one to add another.')}</p>}
    </div>
  );
}
