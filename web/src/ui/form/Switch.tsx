import type { ComponentProps } from 'react';
import classes from './Field.module.css';

/** On or off, at once. It is named by what stands around it. */
export function Switch(box: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>) {
  return <input {...box} type="checkbox" role="switch" className={classes.switch} />;
}
