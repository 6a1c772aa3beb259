import { useState } from 'react';
import classes from './Picture.module.css';
import { initialOf } from '../text/person.ts';

interface AvatarProps {
  /** Stable per person; decides the tint. */
  id: string;
  name: string | null;
  picture: string | null;
  /** CSS pixels. */
  size?: number;
  /** Moves to its place on the next page; for one picture of a person per page. */
  isMoving?: boolean;
}

/** For the one picture of a person that moves to its place on the next page. */
export const movingPicture = (id: string) => ({ viewTransitionName: `picture-${id}`, viewTransitionClass: 'picture' });

function tintOf(id: string): number {
  let sum = 0;
  for (let at = 0; at < id.length; at += 1) sum = (sum * 31 + id.charCodeAt(at)) % 997;
  return sum % 5;
}

/**
 * A person's picture, or the first letter of the name if there is none or it doesn't load. Decoration, since the name
 * is next to it.
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
