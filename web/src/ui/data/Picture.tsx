import { IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { mediaAddressSameSeconds, thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { Picture as PictureData } from '#contract/media.ts';
import { whenIdle } from '../loading/idle.ts';
import classes from './Picture.module.css';

interface PictureProps {
  picture: Pick<PictureData, 'url' | 'thumbnailUrl' | 'width' | 'height' | 'placeholder'>;
  /** '' if the text next to it names the person. */
  alt: string;
  /**
   * How wide it is drawn, as in the attribute `sizes`: the browser may then choose the large file. Without it, the
   * thumbnail is enough.
   */
  sizes?: string;
  /** Cropped upright like the thumbnail, or complete in its own shape. */
  shape?: 'card' | 'whole';
  /** Fetched immediately, not when it comes near the window. */
  isEager?: boolean;
  /** Shown when the picture does not load; an icon otherwise. */
  fallback?: ReactNode;
}

/** The placeholder as a CSS image; nothing if the hash is invalid. */
function placeholderUrl(hash: string): string | undefined {
  try {
    return `url(${thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))})`;
  } catch {
    return undefined;
  }
}

/** What to draw until the picture begins to arrive. Decoding it takes a phone a while, so what is to be read comes first. */
function usePlaceholder(hash: string, image: RefObject<HTMLImageElement | null>): string | undefined {
  const [ground, setGround] = useState<{ hash: string; url: string | undefined }>();
  useEffect(() => {
    if (hash === '') return undefined;
    let isWanted = true;
    whenIdle(() => {
      if (isWanted && image.current?.naturalWidth === 0) setGround({ hash, url: placeholderUrl(hash) });
    });
    return () => {
      isWanted = false;
    };
  }, [hash, image]);
  return ground?.hash === hash ? ground.url : undefined;
}

/** A picture with reserved space and a blurred placeholder until it loads; as wide as its container. */
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

/** For pictures that fail to load: fetches new addresses once they may have expired, at most once per answer. */
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
