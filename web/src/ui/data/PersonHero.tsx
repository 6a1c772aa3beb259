import { IconHeart } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Picture as PictureData } from '#contract/media.ts';
import { t } from '../text/text.ts';
import { Picture } from './Picture.tsx';
import classes from './Picture.module.css';

/** The displayed width, for the `sizes` attribute. */
export const heroWidth = '(min-width: 60rem) 28rem, 100vw';

/** The alternative text for one of a person's pictures; `number` counts from 1. */
export function pictureName(name: string, number: number, total: number): string {
  if (total === 1) return t('Picture of {name}', { name });
  return t('{name}: picture {number} of {total}', { name, number, total });
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
      aria-label={name === undefined ? t('Pictures') : t('Pictures of {name}', { name })}
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

/** A button in the corner of a picture or answer that likes it; it opens a dialog for a comment. */
export function PartLikeButton({ text, Icon = IconHeart, onPress }: PartLikeButtonProps) {
  return (
    <button type="button" className={classes.like} aria-label={text} aria-haspopup="dialog" onClick={onPress}>
      <Icon size={24} stroke={1.9} aria-hidden="true" />
    </button>
  );
}

interface PartLikeButtonProps {
  /** Describes what is liked. */
  text: string;
  Icon?: typeof IconHeart;
  onPress: () => void;
}
