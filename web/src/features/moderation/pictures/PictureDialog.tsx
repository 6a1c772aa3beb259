import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconZoomIn } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Picture as PictureData } from '#contract/media.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { arrowSteps } from './use-picture-queue.ts';
import classes from './pictures.module.css';

/**
 * A whole picture, as large as the window and its resolution allow. Each picture is mounted separately, so that the
 * previous one never appears in its place.
 */
export function LargePicture({ picture, alt }: { picture: PictureData; alt: string }) {
  return (
    <span
      className={classes.room}
      style={{ '--ratio': picture.width / picture.height, '--most': `${picture.width}px` } as object}
    >
      <Picture
        key={picture.publicId}
        picture={picture}
        alt={alt}
        shape="whole"
        isEager
        fallback={<span className={classes.failed}>{t`This picture does not load. Refresh and try again.`}</span>}
      />
    </span>
  );
}

interface PictureThumbnailProps {
  picture: PictureData;
  /** The accessible name of the button: its action and the picture. */
  label: string;
  onEnlarge: () => void;
}

/** A thumbnail that opens the large picture. */
export function PictureThumbnail({ picture, label, onEnlarge }: PictureThumbnailProps) {
  return (
    <button type="button" className={classes.thumbnail} aria-label={label} title={label} onClick={onEnlarge}>
      <Picture picture={picture} alt="" />
      <span className={classes.thumbnailZoom}>
        <IconZoomIn size={15} stroke={2} aria-hidden="true" />
      </span>
    </button>
  );
}

interface StepProps {
  to: PictureData | undefined;
  onStep: (publicId: string) => void;
  children: string;
}

/** A button for the next or previous picture. At the end of the list it keeps the focus and does nothing. */
function Step({ to, onStep, children }: StepProps) {
  const isEnd = to === undefined;
  return (
    <Button
      variant="default"
      aria-disabled={isEnd || undefined}
      data-disabled={isEnd}
      onClick={() => to && onStep(to.publicId)}
    >
      {children}
    </Button>
  );
}

interface PictureDialogProps {
  title: string;
  pictures: readonly PictureData[];
  /** The id of the picture that is shown first. */
  first: string;
  onClose: () => void;
}

/** Shows pictures one at a time and large. */
export function PictureDialog({ title, pictures, first, onClose }: PictureDialogProps) {
  const place = useRef<HTMLDivElement>(null);
  const [shownId, setShownId] = useState(first);
  const index = Math.max(
    0,
    pictures.findIndex(({ publicId }) => publicId === shownId),
  );
  const picture = pictures[index];
  const [before, after] = [pictures[index - 1], pictures[index + 1]];

  function moveByArrow({ key }: KeyboardEvent) {
    const target = pictures[index + (arrowSteps(null)[key] ?? 0)];
    if (target !== undefined) setShownId(target.publicId);
  }
  useSingleKeys({ ArrowLeft: moveByArrow, ArrowRight: moveByArrow }, { place });

  const words = { place: formatNumber(index + 1), count: formatNumber(pictures.length) };
  return (
    <Dialog
      title={title}
      size="full"
      onClose={onClose}
      actions={
        <>
          {pictures.length > 1 && (
            <>
              <Step to={before} onStep={setShownId}>
                {t`Previous`}
              </Step>
              <Step to={after} onStep={setShownId}>
                {t`Next`}
              </Step>
            </>
          )}
          <Button variant="default" onClick={onClose}>
            {t`Close`}
          </Button>
        </>
      }
    >
      <div ref={place} className={classes.stage}>
        {picture && (
          <LargePicture picture={picture} alt={t`Picture ${{ place: words.place }} of ${{ count: words.count }}`} />
        )}
      </div>
    </Dialog>
  );
}
