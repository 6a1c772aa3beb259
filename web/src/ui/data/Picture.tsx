import { IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Picture as PictureData } from '#contract/media/picture.ts';
import { thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import classes from './Picture.module.css';

interface PictureProps {
  picture: Pick<PictureData, 'url' | 'thumbnailUrl' | 'width' | 'height' | 'placeholder'>;
  /** '' where the text beside it names the person. */
  alt: string;
  /** How wide it is drawn, as the attribute has it: the browser may then take the large file. Without it the thumbnail does. */
  sizes?: string;
  /** Cut upright like the thumbnail, or all of it in its own shape. */
  shape?: 'card' | 'whole';
  /** Fetched at once, not when it comes near the window. */
  isEager?: boolean;
  /** Shown when the picture does not load; an icon otherwise. */
  fallback?: ReactNode;
}

/** What to draw until the picture is there; nothing when the hash is none. */
function placeholderUrl(hash: string): string | undefined {
  try {
    return `url(${thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))})`;
  } catch {
    return undefined;
  }
}

/** A picture with reserved space and a blurred placeholder until it loads; as wide as its container. */
export function Picture({ picture, alt, sizes, shape = 'card', isEager = false, fallback }: PictureProps) {
  const { url, thumbnailUrl, placeholder } = picture;
  const isWhole = shape === 'whole';
  const [width, height] = isWhole ? [picture.width, picture.height] : [thumbnailWidth, thumbnailHeight];
  const source = isWhole ? url : thumbnailUrl;
  const [failedSource, setFailedSource] = useState('');
  const ground = useMemo(() => (placeholder === '' ? undefined : placeholderUrl(placeholder)), [placeholder]);
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
