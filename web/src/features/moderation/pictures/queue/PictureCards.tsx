import { IconCheck, IconZoomIn, IconX } from '@tabler/icons-react';
import { memo, type MouseEvent } from 'react';
import { thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { QueuedPicture } from '#contract/media/media.ts';
import { Picture } from '../../../../ui/data/Picture.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { ownerName } from '../picture-words.ts';
import classes from './PictureCards.module.css';
import { PictureFacts } from '../PictureFacts.tsx';
import { pictureButtonId } from './use-current-picture.ts';

/** So many after the current one are fetched before they come into view. */
const fetchedAhead = 12;
/** From this difference between the shapes on, the thumbnail does not tell enough. */
const muchCut = 0.08;

function isMuchCut({ width, height }: QueuedPicture): boolean {
  return Math.abs((width / height) * (thumbnailHeight / thumbnailWidth) - 1) > muchCut;
}

/** What can be done with a picture in the queue. */
export interface PictureCommands {
  onCurrent: (publicId: string) => void;
  onEnlarge: (picture: QueuedPicture) => void;
  onApprove: (picture: QueuedPicture) => void;
  onReject: (picture: QueuedPicture) => void;
}

/** The card that moved up under the pointer is not meant by the second click of a double one. */
function once(command: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail <= 1) command();
  };
}

interface PictureCardProps extends PictureCommands {
  picture: QueuedPicture;
  isCurrent: boolean;
  isEager: boolean;
}

const PictureCard = memo(function PictureCard({ picture, isCurrent, isEager, ...commands }: PictureCardProps) {
  const t = useText();
  const name = ownerName(picture.user, t);
  const isCut = isMuchCut(picture);
  return (
    <li
      className={classes.card}
      aria-current={isCurrent || undefined}
      onFocus={() => commands.onCurrent(picture.publicId)}
    >
      <button
        id={pictureButtonId(picture.publicId)}
        type="button"
        className={classes.picture}
        aria-label={t(isCut ? 'Enlarge the picture of {name}: it is cut here' : 'Enlarge the picture of {name}', {
          name,
        })}
        onClick={() => commands.onEnlarge(picture)}
      >
        <Picture picture={picture} alt="" isEager={isEager} />
        <span className={classes.zoom}>
          <IconZoomIn size={16} stroke={2} aria-hidden="true" />
          {isCut && t('It is cut here')}
        </span>
      </button>
      <div className={classes.facts}>
        <PictureFacts picture={picture} />
      </div>
      <div className={classes.actions}>
        <button
          type="button"
          className={classes.action}
          aria-label={t('Reject the picture of {name}', { name })}
          onClick={once(() => commands.onReject(picture))}
        >
          <IconX size={18} stroke={2} aria-hidden="true" />
          {t('Reject')}
        </button>
        <button
          type="button"
          className={classes.action}
          data-tone="positive"
          aria-label={t('Approve the picture of {name}', { name })}
          onClick={once(() => commands.onApprove(picture))}
        >
          <IconCheck size={18} stroke={2} aria-hidden="true" />
          {t('Approve')}
        </button>
      </div>
    </li>
  );
});

interface PictureCardsProps extends PictureCommands {
  pictures: readonly QueuedPicture[];
  /** The place of the current one. */
  index: number;
}

/** The pictures that wait as cards, to be judged one after the other. */
export function PictureCards({ pictures, index, ...commands }: PictureCardsProps) {
  const t = useText();
  return (
    <ul className={classes.cards} aria-label={t('Pending pictures')}>
      {pictures.map((picture, at) => (
        <PictureCard
          key={picture.publicId}
          picture={picture}
          isCurrent={at === index}
          isEager={at <= index + fetchedAhead}
          {...commands}
        />
      ))}
    </ul>
  );
}
