import { t } from '@lingui/core/macro';
import { Text, UnstyledButton } from '@mantine/core';
import { IconEye, IconHexagonNumber1, IconPhotoOff } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import type { MessagePicture } from '#contract/messages/message-parts.ts';
import { listMessages, type MessageView } from '#contract/messages/messages.ts';
import { call } from '../../../api/call.ts';
import { applyEvent } from '../../../api/realtime/realtime-cache.ts';
import { Picture, placeholderUrl } from '../../../ui/data/Picture.tsx';
import classes from './photos.module.css';
import { OncePhoto } from './OncePhoto.tsx';
import { PhotoViewer } from './PhotoViewer.tsx';

interface Served extends MessagePicture {
  url: string;
  thumbnailUrl: string;
}

const isServed = (picture: MessagePicture): picture is Served => picture.url !== null && picture.thumbnailUrl !== null;

/** A covered photo is at least this tall for its width, so that the text on it fits. */
const flattest = 1.6;

/** The photos that were uncovered in this tab; a reload covers them again. */
const uncovered = new Set<string>();

/** How wide a single photo is, so that tall ones are not higher than a phone. */
export const widthOf = ({ width, height }: { width: number; height: number }): string =>
  `min(18rem, 70vw, ${((22 * width) / height).toFixed(2)}rem)`;

/** The alternative text of one of a message's photos; `index` counts from 0. */
function photoName(by: string | null, index: number, total: number): string {
  const number = index + 1;
  if (by === null) return total === 1 ? t`Your photo` : t`Your photo ${number} of ${total}`;
  return total === 1 ? t`Photo from ${{ name: by }}` : t`Photo ${number} of ${total} from ${{ name: by }}`;
}

/** Shown in place of a photo. */
function PhotoNote({ Icon, children }: { Icon: typeof IconEye; children: ReactNode }) {
  return (
    <span className={classes.note}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <Text component="span" fz="small">
        {children}
      </Text>
    </span>
  );
}

interface PhotoTileProps {
  picture: Served;
  alt: string;
  isSingle: boolean;
  /** Nothing is loaded until the photo is pressed; only its few blurred colors are shown. */
  isCovered: boolean;
  onPress: () => void;
}

/** The reason why a photo is covered, shortened if there are several. */
function CoverReason({ isUnchecked, isSingle }: { isUnchecked: boolean; isSingle: boolean }) {
  if (isUnchecked)
    return isSingle ? t`This photo hasn't been checked yet. Show it only if you want to.` : t`Not checked yet`;
  return isSingle ? t`Our check found something in this photo. Show it only if you want to.` : t`Covered by our check`;
}

/** A photo that opens large, or a covered one that is shown. Both are one button, so that it keeps the focus. */
function PhotoTile({ picture, alt, isSingle, isCovered, onPress }: PhotoTileProps) {
  const { width, height, placeholder } = picture;
  const ground = useMemo(() => (isCovered ? placeholderUrl(placeholder) : undefined), [isCovered, placeholder]);
  const { isUnchecked = false } = picture;
  const hasReason = picture.isCovered === true;
  const label = isUnchecked
    ? t`${{ photo: alt }}, covered because it hasn't been checked yet. Show it`
    : hasReason
      ? t`${{ photo: alt }}, covered because our check found something. Show it`
      : t`${{ photo: alt }}, covered. Show it`;
  return (
    <UnstyledButton
      className={classes.tile ?? ''}
      style={isCovered ? { aspectRatio: Math.min(width / height, flattest), backgroundImage: ground } : undefined}
      aria-label={isCovered ? label : undefined}
      aria-haspopup={isCovered ? undefined : 'dialog'}
      onClick={onPress}
    >
      {isCovered ? (
        <PhotoNote Icon={IconEye}>
          {hasReason ? <CoverReason isUnchecked={isUnchecked} isSingle={isSingle} /> : t`Tap to show`}
        </PhotoNote>
      ) : (
        <Picture picture={picture} alt={alt} shape={isSingle ? 'whole' : 'card'} />
      )}
    </UnstyledButton>
  );
}

interface PhotoGridProps {
  matchId: string;
  message: MessageView & { pictures: MessagePicture[] };
  /** The other person's name; null for the viewer's own photos. */
  by: string | null;
}

/** Loads a message again whose photos did not load, because their addresses may have expired; at most once a minute. */
function useFreshMessage(matchId: string, seq: number): () => void {
  const since = useRef(-Infinity);
  return () => {
    const now = performance.now();
    if (now - since.current < 60_000) return;
    since.current = now;
    call(listMessages, { params: { id: matchId }, query: { after: seq - 1, limit: 1 } })
      .then(({ data }) => data.messages.forEach((message) => applyEvent({ kind: 'message', matchId, message })))
      .catch(() => undefined);
  };
}

/**
 * The photos of a message. Received ones that are among the sender's first, and those in which a check found something, are
 * covered until they are pressed.
 */
export function PhotoGrid({ matchId, message, by }: PhotoGridProps) {
  const { seq, pictures } = message;
  const [, setUncovered] = useState(0);
  const [shown, setShown] = useState<string | null>(null);
  const [opened, setOpened] = useState<MessagePicture | null>(null);
  const refresh = useFreshMessage(matchId, seq);
  const isCovered = (picture: MessagePicture) =>
    by !== null && !uncovered.has(picture._id) && (picture.isAmongFirst === true || picture.isCovered === true);
  const open = pictures.filter(isServed).filter((picture) => !isCovered(picture));

  function tileOf(picture: MessagePicture, index: number): ReactNode {
    const alt = photoName(by, index, pictures.length);
    if (picture.isOnce) return <OnceTile picture={picture} by={by} alt={alt} onOpen={() => setOpened(picture)} />;
    if (!isServed(picture))
      return (
        <span className={classes.tile}>
          <PhotoNote Icon={IconPhotoOff}>{t`This photo isn't available.`}</PhotoNote>
        </span>
      );
    const uncover = () => setUncovered(uncovered.add(picture._id).size);
    return (
      <PhotoTile
        picture={picture}
        alt={alt}
        isSingle={pictures.length === 1}
        isCovered={isCovered(picture)}
        onPress={isCovered(picture) ? uncover : () => setShown(picture._id)}
      />
    );
  }

  const [first] = pictures;
  return (
    <div
      role="presentation"
      className={classes.grid}
      data-count={pictures.length}
      style={pictures.length === 1 && first && !first.isOnce ? { width: widthOf(first) } : undefined}
      onClick={(event: MouseEvent) => event.stopPropagation()}
      onErrorCapture={refresh}
    >
      {pictures.map((picture, index) => (
        <div key={picture._id}>{tileOf(picture, index)}</div>
      ))}
      {shown !== null && (
        <PhotoViewer
          photos={open.map((one) => ({
            url: one.url,
            alt: photoName(by, pictures.indexOf(one), pictures.length),
          }))}
          start={open.findIndex(({ _id }) => _id === shown)}
          onClose={() => setShown(null)}
        />
      )}
      {opened !== null && (
        <OncePhoto matchId={matchId} seq={seq} picture={opened._id} by={by ?? ''} onClose={() => setOpened(null)}>
          {opened.isCovered === true && <CoverReason isUnchecked={opened.isUnchecked === true} isSingle />}
        </OncePhoto>
      )}
    </div>
  );
}

interface OnceTileProps {
  picture: MessagePicture;
  by: string | null;
  alt: string;
  onOpen: () => void;
}

/** A photo that can be viewed once: its receiver opens it, its sender sees whether they did. */
function OnceTile({ picture: { isOpened }, by, alt, onOpen }: OnceTileProps) {
  if (by !== null && !isOpened)
    return (
      <UnstyledButton
        className={classes.once ?? ''}
        aria-haspopup="dialog"
        aria-label={t`${{ photo: alt }}. View once`}
        onClick={onOpen}
      >
        <PhotoNote Icon={IconHexagonNumber1}>{t`Photo · View once`}</PhotoNote>
      </UnstyledButton>
    );
  return (
    <span className={classes.once} data-opened={isOpened || undefined}>
      <PhotoNote Icon={IconHexagonNumber1}>{isOpened ? t`Photo · Opened` : t`Photo · They can view it once`}</PhotoNote>
    </span>
  );
}
