import type { ComponentProps } from 'react';
import classes from './Field.module.css';

/** A switch that takes effect immediately; the surrounding text labels it. */
export function Switch(box: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>) {
  return <input {...box} type="checkbox" role="switch" className={classes.switch} />;
}
