import { Stack, type StackProps } from '@mantine/core';
import classes from './layout.module.css';

/** What someone wrote, as they wrote it. */
export function Quote(props: StackProps) {
  return <Stack component="blockquote" gap={0} align="flex-start" className={classes.quote} {...props} />;
}
