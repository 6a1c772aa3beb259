import { Stack, type StackProps } from '@mantine/core';
import classes from './layout.module.css';

/** A text by a person, exactly as they wrote it. */
export function Quote(props: StackProps) {
  return <Stack component="blockquote" gap={0} align="flex-start" className={classes.quote} {...props} />;
}
