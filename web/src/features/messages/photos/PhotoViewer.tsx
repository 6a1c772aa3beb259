import { t } from '@lingui/core/macro';
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import '../../../ui/feedback/screen.css';
import classes from './photos.module.css';

/** A swipe is at least this long. */
const swipePx = 40;

interface PhotoViewerProps {
  photos: readonly { url: string; alt: string }[];
  /** The index of the photo that is shown first. */
  start: number;
  onClose: () => void;
}

/** Photos as large as the window allows, one at a time: swiped, or moved by buttons and arrow keys. */
export function PhotoViewer({ photos, start, onClose }: PhotoViewerProps) {
  const [at, setAt] = useState(Math.max(0, start));
  const pressedAt = useRef<number | null>(null);
  const photo = photos[at];
  // In right-to-left languages, the next photo is on the left.
  const right = document.documentElement.dir === 'rtl' ? -1 : 1;
  const move = (by: number) => setAt((before) => Math.min(photos.length - 1, Math.max(0, before + by)));

  function press({ key }: KeyboardEvent) {
    if (key === 'ArrowLeft') move(-right);
    if (key === 'ArrowRight') move(right);
  }

  function release({ clientX }: PointerEvent) {
    const moved = clientX - (pressedAt.current ?? clientX);
    pressedAt.current = null;
    if (Math.abs(moved) >= swipePx) move(moved < 0 ? right : -right);
  }

  const goTo = (by: number, label: string, Icon: typeof IconChevronLeft) => (
    <ActionIcon
      variant="white"
      color="dark"
      size={44}
      aria-label={label}
      data-autofocus={by > 0 || undefined}
      aria-disabled={photos[at + by] === undefined || undefined}
      onClick={() => move(by)}
    >
      <Icon className="mirrored" size={20} stroke={1.75} />
    </ActionIcon>
  );

  // With several photos, the title stays the same, because a new one would take the focus away from the buttons.
  return (
    <Dialog title={photos.length > 1 ? t`Photos` : (photo?.alt ?? t`Photo`)} size="screen" onClose={onClose}>
      <div
        role="presentation"
        className={classes.viewer}
        onKeyDown={press}
        onPointerDown={({ clientX, isPrimary }) => (pressedAt.current = isPrimary ? clientX : null)}
        onPointerUp={release}
        onPointerCancel={() => (pressedAt.current = null)}
      >
        {photo && <img key={photo.url} className={classes.large} src={photo.url} alt={photo.alt} draggable={false} />}
        {photos.length > 1 && (
          <Group justify="center" mt="0.75rem">
            {goTo(-1, t`Previous photo`, IconChevronLeft)}
            <Text component="span" fz="small" role="status">
              {photo?.alt}
            </Text>
            {goTo(1, t`Next photo`, IconChevronRight)}
          </Group>
        )}
      </div>
    </Dialog>
  );
}
