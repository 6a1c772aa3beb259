import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { Picture as PictureData } from '#contract/media/picture.ts';
import { Picture } from './Picture.tsx';
import { t } from '../text/text.ts';
import classes from './Picture.module.css';

interface PictureGalleryProps {
  /** Whose pictures these are; undefined until they are loaded. */
  name: string | undefined;
  pictures: readonly PictureData[];
  /** Shown in place of a picture that is missing or does not load. */
  fallback: ReactNode;
  /** Called when one of them doesn't load. */
  onFailed?: (() => void) | undefined;
  /** Actions for the displayed picture. */
  action?: ((picture: PictureData) => ReactNode) | undefined;
  /** Which one is displayed, if that is controlled from outside. */
  index?: number | undefined;
  onIndex?: ((index: number) => void) | undefined;
  /** False if horizontal swipes and arrow keys do something else. */
  pagesSideways?: boolean;
  /** False if the space below the picture is needed for something else. */
  hasDots?: boolean;
  /** Shown over the picture. */
  children?: ReactNode;
}

/** A shorter movement of the finger is a tap. */
const swipePx = 40;
/** As in the attribute `sizes`. */
export const galleryWidth = '(max-width: 26rem) 100vw, 26rem';

/** A person's pictures, one at a time and large, with reserved space: paged by buttons, dots, arrow keys and swipes. */
export function PictureGallery(props: PictureGalleryProps) {
  const { name, pictures, fallback, onFailed, action, pagesSideways = true, hasDots = true, children } = props;
  const [ownIndex, setOwnIndex] = useState(0);
  const index = props.index ?? ownIndex;
  const setIndex = props.onIndex ?? setOwnIndex;
  const startedAt = useRef<number | null>(null);
  const total = pictures.length;
  const at = Math.min(index, Math.max(0, total - 1));
  const shown = pictures[at];
  const whose = name ?? '';
  const position = t('Picture {number} of {total}', { number: at + 1, total });

  const show = (next: number) => setIndex(Math.max(0, Math.min(next, total - 1)));

  function page({ key }: KeyboardEvent) {
    if (!pagesSideways) return;
    if (key === 'ArrowLeft') show(at - 1);
    if (key === 'ArrowRight') show(at + 1);
  }

  function lift({ clientX }: PointerEvent) {
    const way = startedAt.current === null ? 0 : clientX - startedAt.current;
    startedAt.current = null;
    if (Math.abs(way) >= swipePx) show(way < 0 ? at + 1 : at - 1);
  }

  return (
    <>
      <div
        role="group"
        aria-label={name === undefined ? t('Pictures') : t('Pictures of {name}', { name })}
        className={classes.stage}
      >
        <div
          className={classes.pictureGalleryFrame}
          onErrorCapture={onFailed}
          onPointerDown={(event) => {
            startedAt.current = pagesSideways && event.pointerType === 'touch' ? event.clientX : null;
          }}
          onPointerUp={lift}
          onPointerCancel={() => {
            startedAt.current = null;
          }}
        >
          {shown ? (
            <Picture
              key={shown.publicId}
              picture={shown}
              alt={
                total === 1
                  ? t('Picture of {name}', { name: whose })
                  : t('{name}: picture {number} of {total}', { name: whose, number: at + 1, total })
              }
              sizes={galleryWidth}
              isEager
              fallback={fallback}
            />
          ) : (
            <div className={classes.none}>{fallback}</div>
          )}
          {children}
          {total > 1 && (
            <>
              <button
                type="button"
                className={classes.way}
                data-way="back"
                aria-label={t('Previous picture')}
                aria-disabled={at === 0 || undefined}
                onClick={() => show(at - 1)}
                onKeyDown={page}
              >
                <IconChevronLeft size={26} stroke={2} aria-hidden="true" />
              </button>
              <button
                type="button"
                className={classes.way}
                data-way="on"
                aria-label={t('Next picture')}
                aria-disabled={at === total - 1 || undefined}
                onClick={() => show(at + 1)}
                onKeyDown={page}
              >
                <IconChevronRight size={26} stroke={2} aria-hidden="true" />
              </button>
              <p role="status" className={classes.position}>
                {position}
              </p>
            </>
          )}
        </div>
        {hasDots && total > 1 && (
          <div className={classes.dots}>
            {pictures.map(({ publicId }, dot) => (
              <button
                key={publicId}
                type="button"
                className={classes.dot}
                aria-label={t('Show picture {number}', { number: dot + 1 })}
                aria-current={dot === at || undefined}
                onClick={() => show(dot)}
                onKeyDown={page}
              />
            ))}
          </div>
        )}
      </div>
      {shown && action?.(shown)}
    </>
  );
}
