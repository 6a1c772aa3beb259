import { useState } from 'react';
import classes from './Picture.module.css';
import { initialOf } from '../text/person.ts';

interface AvatarProps {
  /** Stable for each person, because it decides the background colour. */
  id: string;
  name: string | null;
  picture: string | null;
  /** CSS pixels. */
  size?: number;
  /** The picture moves to its position on the next page; only for one picture per person and page. */
  isMoving?: boolean;
}

/** The style of a picture that moves to its position on the next page; only for one picture per person and page. */
export const movingPicture = (id: string) => ({ viewTransitionName: `picture-${id}`, viewTransitionClass: 'picture' });

function tintOf(id: string): number {
  let sum = 0;
  for (let at = 0; at < id.length; at += 1) sum = (sum * 31 + id.charCodeAt(at)) % 997;
  return sum % 5;
}

/**
 * A person's picture, or the first letter of their name if there is no picture or it doesn't load. It is decorative,
 * because the name is next to it.
 */
export function Avatar({ id, name, picture, size = 40, isMoving = false }: AvatarProps) {
  const [failedPicture, setFailedPicture] = useState<string | null>(null);
  const style = { width: size, height: size, fontSize: size * 0.42, ...(isMoving && movingPicture(id)) };
  if (picture !== null && picture !== failedPicture) {
    return (
      <img
        className={classes.avatar}
        src={picture}
        alt=""
        width={size}
        height={size}
        style={style}
        loading="lazy"
        onError={() => setFailedPicture(picture)}
      />
    );
  }
  return (
    <span className={classes.avatar} data-tint={tintOf(id)} style={style} aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}
