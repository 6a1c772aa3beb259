import type { ComponentProps } from 'react';
import classes from './Track.module.css';

interface TrackProps extends Omit<ComponentProps<'div'>, 'className' | 'color'> {
  /** The part that is filled, from 0 to 1. */
  share: number;
  color?: string | undefined;
}

/** A thin bar that shows how much of a whole there is; without a role, only for the eye. */
export function Track({ share, color, ...attributes }: TrackProps) {
  return (
    <div aria-hidden={attributes.role === undefined || undefined} {...attributes} className={classes.track}>
      <span style={{ width: `${100 * share}%`, background: color }} />
    </div>
  );
}
