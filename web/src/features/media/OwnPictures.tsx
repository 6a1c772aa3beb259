import { useEffect, useRef, useState } from 'react';
import type { OwnPicture } from '#contract/media/picture.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useText } from '../../ui/text/text.ts';
import { AddTile } from './AddTile.tsx';
import { CropDialog } from './crop/CropDialog.tsx';
import { browserDrawing, type Drawing } from './crop/drawing.ts';
import classes from './OwnPictures.module.css';
import { PictureAdvice } from './PictureAdvice.tsx';
import { isStanding, picturesMax } from './picture-order.ts';
import { PictureNotices } from './PictureNotices.tsx';
import grid from './PicturesSection.module.css';
import { PictureTile } from './PictureTile.tsx';
import { UploadTile } from './UploadTile.tsx';
import { useAdding } from './use-adding.ts';
import { useArranging } from './use-arranging.ts';
import { useDeleting } from './use-deleting.ts';
import { useFreshAddresses } from './use-fresh-addresses.ts';
import { usePicturesOnServer } from './use-pictures-on-server.ts';
import { useTileDrag } from './use-tile-drag.ts';
import { useUploads } from './use-uploads.ts';

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
      <ol ref={drag.list} className={grid.grid} onErrorCapture={askAnew}>
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
