import { t } from '@lingui/core/macro';
import { IconDots, IconHeart, IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { mediaAddressSameSeconds, thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { Picture as PictureData } from '#contract/media.ts';
import { whenIdle } from '../loading/preload.ts';
import classes from './Picture.module.css';

interface PictureProps {
  picture: Pick<PictureData, 'url' | 'thumbnailUrl' | 'width' | 'height' | 'placeholder'>;
  /** Empty if the text next to the picture names the person. */
  alt: string;
  /**
   * The displayed width as in the `sizes` attribute, which lets the browser choose the large file. Without it, the
   * thumbnail is used.
   */
  sizes?: string;
  /** Cropped to a portrait shape like the thumbnail, or the whole picture. */
  shape?: 'card' | 'whole';
  /** Loads the picture immediately instead of when it comes near the viewport. */
  isEager?: boolean;
  /** Shown when the picture does not load; an icon otherwise. */
  fallback?: ReactNode;
}

/** The placeholder as a CSS image; undefined if the hash is invalid. */
export function placeholderUrl(hash: string): string | undefined {
  try {
    return `url(${thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))})`;
  } catch {
    return undefined;
  }
}

/**
 * The placeholder to show until the picture starts to arrive. Decoding the hash takes a while on a phone, so it is
 * deferred until the text has been rendered.
 */
function usePlaceholder(hash: string, image: RefObject<HTMLImageElement | null>): string | undefined {
  const [ground, setGround] = useState<{ hash: string; url: string | undefined }>();
  useEffect(() => {
    if (hash === '') return undefined;
    return whenIdle(() => {
      if (image.current?.naturalWidth === 0) setGround({ hash, url: placeholderUrl(hash) });
    });
  }, [hash, image]);
  return ground?.hash === hash ? ground.url : undefined;
}

/** A picture with reserved space and a blurred placeholder until it has loaded; it is as wide as its container. */
export function Picture({ picture, alt, sizes, shape = 'card', isEager = false, fallback }: PictureProps) {
  const { url, thumbnailUrl, placeholder } = picture;
  const isWhole = shape === 'whole';
  const [width, height] = isWhole ? [picture.width, picture.height] : [thumbnailWidth, thumbnailHeight];
  const source = isWhole ? url : thumbnailUrl;
  const [failedSource, setFailedSource] = useState('');
  const image = useRef<HTMLImageElement>(null);
  const ground = usePlaceholder(placeholder, image);
  const choice =
    isWhole || sizes === undefined
      ? {}
      : { sizes, srcSet: `${thumbnailUrl} ${thumbnailWidth}w, ${url} ${picture.width}w` };
  return (
    <span className={classes.frame} style={{ aspectRatio: `${width} / ${height}`, backgroundImage: ground }}>
      {source === failedSource ? (
        <span
          className={classes.failed}
          {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
        >
          {fallback ?? <IconPhotoOff size={32} stroke={1.5} aria-hidden="true" />}
        </span>
      ) : (
        <img
          ref={image}
          className={classes.image}
          alt={alt}
          width={width}
          height={height}
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          {...choice}
          src={source}
          onError={() => setFailedSource(source)}
        />
      )}
    </span>
  );
}

/**
 * Fetches new picture addresses when pictures fail to load and their addresses may have expired, at most once per
 * answer.
 */
export function useFreshAddresses(answer: unknown, refetch: () => void): () => void {
  const since = useRef(0);

  useEffect(() => {
    since.current = Date.now();
  }, [answer]);

  return () => {
    if (Date.now() - since.current < mediaAddressSameSeconds * 1000) return;
    since.current = Date.now();
    refetch();
  };
}

/** The displayed width, for the `sizes` attribute. */
export const heroWidth = '(min-width: 60rem) 28rem, 100vw';

/** The alternative text for one of a person's pictures; `number` counts from 1. */
export function pictureName(name: string, number: number, total: number): string {
  if (total === 1) return t`Picture of ${name}`;
  return t`${name}: picture ${number} of ${total}`;
}

interface PersonHeroProps {
  /** The person's name; undefined until it has been loaded. */
  name: string | undefined;
  pictures: readonly PictureData[];
  /** Shown if there is no picture or it does not load. */
  fallback: ReactNode;
  /** Called when the picture did not load. */
  onFailed?: (() => void) | undefined;
  /** Shown over the picture. */
  children?: ReactNode;
}

/** A person's first picture, large and with reserved space, at the top of their profile. */
export function PersonHero({ name, pictures, fallback, onFailed, children }: PersonHeroProps) {
  const [first] = pictures;
  return (
    <div
      role="group"
      aria-label={name === undefined ? t`Pictures` : t`Pictures of ${name}`}
      className={classes.hero}
      onErrorCapture={onFailed}
    >
      {first === undefined ? (
        <div className={classes.none}>{fallback}</div>
      ) : (
        <Picture
          key={first.publicId}
          picture={first}
          alt={pictureName(name ?? '', 1, pictures.length)}
          sizes={heroWidth}
          isEager
          fallback={fallback}
        />
      )}
      {children}
    </div>
  );
}

interface CornerButtonProps {
  /** Describes what is liked, or who is reported. */
  text: string;
  Icon?: typeof IconHeart;
  onPress: () => void;
}

/** A button in the corner of a picture or answer that likes it; it opens a dialog for a comment. */
export function PartLikeButton({ text, Icon = IconHeart, onPress }: CornerButtonProps) {
  return (
    <button type="button" className={classes.corner} aria-label={text} aria-haspopup="dialog" onClick={onPress}>
      <Icon size={24} stroke={1.9} aria-hidden="true" />
    </button>
  );
}

/** The three dots at the top of a person's first picture, which open the menu of actions. */
export function AboutPersonButton({ text, onPress }: CornerButtonProps) {
  return (
    <button
      type="button"
      className={classes.corner}
      data-top
      aria-label={text}
      aria-haspopup="dialog"
      onClick={onPress}
    >
      <IconDots size={24} stroke={1.9} aria-hidden="true" />
    </button>
  );
}
