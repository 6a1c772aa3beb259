import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { OwnPicture } from '#contract/media/picture.ts';
import { useText } from '../../ui/text/text.ts';
import classes from './pictures.module.css';
import { FloatingNotice } from '../../ui/feedback/FloatingNotice.tsx';
import { useArranging } from './use-arranging.ts';
import { useDeleting } from './use-deleting.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AddTile, PictureTile, UploadTile } from './PictureTiles.tsx';
import { CropDialog } from './crop/CropDialog.tsx';
import { browserDrawing, type Drawing } from './crop/drawing.ts';
import { isStanding, picturesMax } from './picture-order.ts';
import { useAdding } from './use-adding.ts';
import { useFreshAddresses } from './use-fresh-addresses.ts';
import { usePicturesOnServer } from './use-pictures-on-server.ts';
import { useTileDrag } from './use-tile-drag.ts';
import { useUploads } from './use-uploads.ts';

interface PictureAdviceProps {
  standing: readonly OwnPicture[];
  room: number;
  isEmpty: boolean;
}

/** Why pictures matter, which are fine, and what to do next; nothing where all is well. */
function PictureAdvice({ standing, room, isEmpty }: PictureAdviceProps) {
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

/** How long Undo is offered. */
const undoMs = 5000;

interface PictureNoticesProps {
  deleting: ReturnType<typeof useDeleting>;
  arranging: ReturnType<typeof useArranging>;
}

/** What came of deleting and moving, at the foot of the window: Undo, or what failed. */
function PictureNotices({ deleting, arranging }: PictureNoticesProps) {
  const t = useText();
  if (deleting.offered !== null) {
    return (
      <FloatingNotice
        key={deleting.offered}
        kind="success"
        staysMs={undoMs}
        onClose={deleting.commit}
        action={
          <Button size="xs" variant="default" onClick={deleting.undo}>
            {t('Undo')}
          </Button>
        }
      >
        {t('The picture is deleted.')}
      </FloatingNotice>
    );
  }
  if (deleting.hasFailed) {
    return (
      <FloatingNotice kind="error" onClose={deleting.dismiss}>
        {t('Failed to delete profile image')}
      </FloatingNotice>
    );
  }
  if (arranging.error === null) return null;
  return (
    <FloatingNotice kind="error" onClose={arranging.dismiss}>
      {t(arranging.error)}
    </FloatingNotice>
  );
}

export interface OwnPicturesProps {
  pictures: readonly OwnPicture[];
  /** My pictures as the server has them after a change. */
  onPictures: (pictures: OwnPicture[]) => void;
  /** Asks for them anew: their addresses have run out, or it is not known how they stand. */
  lookAgain: () => void;
  drawing?: Drawing;
}

/** My pictures: how each stands, in which order, and everything that can be done with them. */
export function OwnPictures({ pictures, onPictures, lookAgain, drawing = browserDrawing }: OwnPicturesProps) {
  const t = useText();
  const [news, setNews] = useState('');
  const [leftOut, setLeftOut] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const focusNext = useRef<string | null>(null);
  const onServer = usePicturesOnServer(pictures, onPictures, lookAgain);
  const arranging = useArranging(onServer);
  const deleting = useDeleting(onServer);
  const uploading = useUploads(onServer, () => setNews(t('The picture is on your profile.')));
  const adding = useAdding({
    drawing,
    onDrawn: (file) => {
      // What is deleted makes room, and is no profile picture any more.
      deleting.commit();
      uploading.add(file);
    },
    onUnreadable: uploading.refuse,
  });
  const askAnew = useFreshAddresses(pictures, lookAgain);

  const shown = arranging.arranged.filter(({ publicId }) => !deleting.hidden.includes(publicId));
  const standing = shown.filter(isStanding);
  const refused = shown.filter((picture) => !isStanding(picture));
  const underWay = uploading.uploads.filter(({ error }) => error === null).length;
  const room = Math.max(0, picturesMax - standing.length - underWay);

  function move(id: string, to: number) {
    arranging.move(shown, id, to);
    setNews(t('The picture is now at place {place} of {count}.', { place: to + 1, count: standing.length }));
  }

  const drag = useTileDrag(move);

  function moveByButton(id: string, to: number, by: string) {
    focusNext.current = `[data-tile="${id}"] [data-action="${by}"]`;
    move(id, to);
  }

  function remove(id: string) {
    deleting.remove(id);
    place.current?.focus();
  }

  function add(files: readonly File[]) {
    setLeftOut(Math.max(0, files.length - room));
    adding.add(files.slice(0, room));
  }

  const tileOf = (picture: OwnPicture, index: number) => (
    <PictureTile
      key={picture.publicId}
      picture={picture}
      place={index}
      count={standing.length}
      held={drag.drag?.id === picture.publicId ? drag.drag : null}
      isTarget={drag.drag?.over === index}
      handlers={drag.handlersOf(picture.publicId)}
      onMove={(to, by) => moveByButton(picture.publicId, to, by)}
      onDelete={() => remove(picture.publicId)}
    />
  );

  // What has moved within the list has lost the focus.
  useEffect(() => {
    if (focusNext.current === null) return;
    place.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });

  return (
    <div ref={place} role="group" aria-label={t('My pictures')} tabIndex={-1} className={classes.place}>
      <PictureNotices deleting={deleting} arranging={arranging} />
      <PictureAdvice standing={standing} room={room} isEmpty={shown.length + uploading.uploads.length === 0} />
      {leftOut > 0 && (
        <div className={classes.notice}>
          <Notice kind="warning">
            {t('{count, plural, one {One picture was} other {# pictures were}} left out: nine are the most.', {
              count: leftOut,
            })}
          </Notice>
        </div>
      )}
      <p role="status" className="visually-hidden">
        {news}
      </p>
      <ol ref={drag.list} className={classes.grid} onErrorCapture={askAnew}>
        {standing.map(tileOf)}
        {uploading.uploads.map((upload) => (
          <UploadTile
            key={upload.key}
            upload={upload}
            onRetry={() => uploading.retry(upload)}
            onDrop={() => uploading.drop(upload)}
          />
        ))}
        {room > 0 && <AddTile isBusy={adding.isOpening} onFiles={add} />}
        {refused.map((picture, index) => tileOf(picture, standing.length + index))}
      </ol>
      {adding.asked && <CropDialog asked={adding.asked} />}
    </div>
  );
}
