import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OwnPicture } from '#contract/media.ts';
import { FloatingNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { Places } from './PictureSlots.tsx';
import { PictureTile, UploadTile } from './PictureTiles.tsx';
import { type Part, wholeOf } from '../../ui/pictures/crop.ts';
import { browserDrawing, type Drawing, whyUnusable } from '../../ui/pictures/drawing.ts';
import type { CropRequest } from './crop/CropDialog.tsx';
import classes from './pictures.module.css';
import { takeSharedPictures } from './shared-pictures.ts';
import { useFreshAddresses } from '../../ui/data/Picture.tsx';
import {
  isOnProfile,
  picturesMax,
  useArranging,
  useDeleting,
  usePicturesOnServer,
  useUploads,
} from './use-own-pictures.ts';
import { useTileMoves } from './use-tile-moves.ts';

interface PictureAdviceProps {
  onProfile: readonly OwnPicture[];
  room: number;
  isEmpty: boolean;
}

/** Explains why pictures matter and what to do next; nothing if there is no advice to give. */
function PictureAdvice({ onProfile, room, isEmpty }: PictureAdviceProps) {
  const hasProfilePicture = onProfile.some(({ isProfilePicture }) => isProfilePicture);
  return (
    <div className={classes.advice}>
      {isEmpty && (
        <p>
          {t`No pictures yet. People prefer to write to someone whose face they have seen: with friends, outdoors or at work, all are fine.`}
        </p>
      )}
      {onProfile.length > 0 && !hasProfilePicture && (
        <p>{t`You have no profile picture yet. Choose the one others see first.`}</p>
      )}
      {room === 0 && <p>{t`You can have up to nine pictures. Delete one to add another.`}</p>}
    </div>
  );
}

function LeftOut({ count }: { count: number }) {
  return (
    <Notice mb="1rem" kind="warning">
      {t`${plural(count, { one: 'One picture was', other: '# pictures were' })} left out: nine is the limit.`}
    </Notice>
  );
}

/** How long Undo is offered, in ms. */
const undoMs = 5000;

interface PictureNoticesProps {
  deleting: ReturnType<typeof useDeleting>;
  arranging: ReturnType<typeof useArranging>;
}

/** The result of deleting or moving a picture, at the bottom of the window: Undo, or an error. */
function PictureNotices({ deleting, arranging }: PictureNoticesProps) {
  if (deleting.undoable !== null) {
    return (
      <FloatingNotice
        key={deleting.undoable}
        kind="success"
        staysMs={undoMs}
        onClose={deleting.commit}
        action={
          <Button size="xs" variant="default" onClick={deleting.undo}>
            {t`Undo`}
          </Button>
        }
      >
        {t`Picture deleted.`}
      </FloatingNotice>
    );
  }
  if (deleting.hasFailed) {
    return (
      <FloatingNotice kind="error" onClose={deleting.dismiss}>
        {t`Failed to delete profile image`}
      </FloatingNotice>
    );
  }
  if (arranging.error === null) return null;
  return (
    <FloatingNotice kind="error" onClose={arranging.dismiss}>
      {arranging.error}
    </FloatingNotice>
  );
}

const [CropDialog] = lazyPart(async () => (await import('./crop/CropDialog.tsx')).CropDialog);

export interface OwnPicturesProps {
  pictures: readonly OwnPicture[];
  /** Called with the pictures from the server's answer to a change. */
  onPictures: (pictures: OwnPicture[]) => void;
  /** Fetches the pictures again, because their addresses have expired or their state is unknown. */
  refetch: () => void;
  drawing?: Drawing;
  /** What to show in the first places. If given, all places are there from the start, without buttons below them. */
  ideas?: readonly string[];
}

/** Adds the pictures that another app shared with this one. */
function useSharedPictures(add: (files: readonly File[]) => void, refuse: (file: File, error: string) => void) {
  const addShared = useEffectEvent(add);
  const refuseShared = useEffectEvent(refuse);
  useEffect(() => {
    void takeSharedPictures({
      add: (files) => addShared(files),
      refuse: (file, text) => refuseShared(file, text),
    });
  }, []);
}

/** The member's pictures: their review state, their order, and all actions on them. */
export function OwnPictures({ pictures, onPictures, refetch, drawing = browserDrawing, ideas }: OwnPicturesProps) {
  const [announcement, setAnnouncement] = useState('');
  const [leftOut, setLeftOut] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const onServer = usePicturesOnServer(pictures, onPictures, refetch);
  const arranging = useArranging(onServer);
  const deleting = useDeleting(onServer);
  const uploading = useUploads(onServer, () => setAnnouncement(t`The picture was added to your profile.`));
  const adding = useAdding({
    drawing,
    onDrawn: (file) => {
      // The deleted picture must free its place, and must no longer be the profile picture.
      deleting.commit();
      uploading.add(file);
    },
    onUnreadable: uploading.refuse,
  });
  const refreshAddresses = useFreshAddresses(pictures, refetch);

  const shown = arranging.arranged.filter(({ publicId }) => !deleting.hidden.includes(publicId));
  const onProfile = shown.filter(isOnProfile);
  const rejected = shown.filter((picture) => !isOnProfile(picture));
  const running = uploading.uploads.filter(({ error }) => error === null).length;
  const room = Math.max(0, picturesMax - onProfile.length - running);

  function move(id: string, to: number) {
    arranging.move(shown, id, to);
    setAnnouncement(t`The picture is now number ${{ place: to + 1 }} of ${{ count: onProfile.length }}.`);
  }

  const { list, drag, handlersOf, moveByButton } = useTileMoves(place, move);

  function remove(id: string) {
    deleting.remove(id);
    place.current?.focus();
  }

  function add(files: readonly File[]) {
    setLeftOut(Math.max(0, files.length - room));
    adding.add(files.slice(0, room));
  }

  useSharedPictures(add, uploading.refuse);

  const tileOf = (picture: OwnPicture, index: number) => (
    <PictureTile
      key={picture.publicId}
      picture={picture}
      place={index}
      count={onProfile.length}
      held={drag?.id === picture.publicId ? drag : null}
      isTarget={drag?.over === index}
      handlers={handlersOf(picture.publicId)}
      isSlot={ideas !== undefined}
      onMove={(to, by) => moveByButton(picture.publicId, to, by)}
      onDelete={() => remove(picture.publicId)}
    />
  );
  const taken = onProfile.length + uploading.uploads.length;
  return (
    <div ref={place} role="group" aria-label={t`My pictures`} tabIndex={-1}>
      <PictureNotices deleting={deleting} arranging={arranging} />
      {!ideas && <PictureAdvice onProfile={onProfile} room={room} isEmpty={taken + rejected.length === 0} />}
      {leftOut > 0 && <LeftOut count={leftOut} />}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <ol ref={list} className={classes.grid} data-slots={ideas && true} onErrorCapture={refreshAddresses}>
        {onProfile.map(tileOf)}
        {uploading.uploads.map((upload) => (
          <UploadTile
            key={upload.key}
            upload={upload}
            onRetry={() => uploading.retry(upload)}
            onDrop={() => uploading.drop(upload)}
          />
        ))}
        <Places ideas={ideas} taken={taken} room={room} isBusy={adding.isOpening} onFiles={add} />
        {rejected.map((picture, index) => tileOf(picture, onProfile.length + index))}
      </ol>
      {adding.asked && <CropDialog asked={adding.asked} onClose={() => adding.asked?.answer(null)} />}
    </div>
  );
}

interface AddingProps {
  drawing: Drawing;
  onDrawn: (file: File) => void;
  onUnreadable: (file: File, text: string) => void;
}

/** Turns chosen files into uploads: each one is opened, cropped by the member, and drawn again. */
function useAdding({ drawing, onDrawn, onUnreadable }: AddingProps) {
  const [asked, setAsked] = useState<CropRequest | null>(null);
  const [isOpening, setOpening] = useState(false);
  const isThere = useRef(true);
  const lastAnswer = useRef<CropRequest['answer'] | null>(null);
  const last = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      lastAnswer.current?.(null);
    };
  }, []);

  async function addOne(file: File, number: number, total: number) {
    setOpening(true);
    const picture = await drawing.open(file).finally(() => setOpening(false));
    try {
      const ask = { picture, number, total, isDrawing: false };
      const part = await new Promise<Part | 'whole' | null>((answer) => {
        lastAnswer.current = answer;
        setAsked({ ...ask, answer });
      });
      if (part === null) return;
      setAsked({ ...ask, isDrawing: true, answer: () => undefined });
      const drawn = await drawing.draw(picture, part === 'whole' ? wholeOf(picture) : part);
      onDrawn(drawn);
    } finally {
      picture.close();
    }
  }

  /** Processes the files one after the other. */
  async function addAll(files: readonly File[]) {
    for (const [index, file] of files.entries()) {
      if (!isThere.current) return;
      await addOne(file, index + 1, files.length).catch(async (error: unknown) =>
        onUnreadable(file, await whyUnusable(file, error)),
      );
    }
    setAsked(null);
  }

  /** Files that are chosen in the meantime are added to the queue. */
  function add(files: readonly File[]) {
    last.current = last.current.then(() => addAll(files));
  }

  return { asked, isOpening, add };
}
