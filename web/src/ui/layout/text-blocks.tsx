import { Paper, Stack, type StackProps, Text } from '@mantine/core';
import classes from './layout.module.css';

/** Supporting text, smaller and in a softer colour. */
export const Hint = Text.withProps({ c: 'dimmed', fz: 'note' });

/** What a person wrote, exactly as they wrote it. */
export function Quote(props: StackProps) {
  return <Stack component="blockquote" gap={0} align="flex-start" className={classes.quote} {...props} />;
}

/** A recessed area in a card. */
export const Well = Paper.withProps({
  withBorder: false,
  radius: 'md',
  shadow: 'none',
  py: '0.8rem',
  px: '1rem',
  bg: 'var(--hw-sunken)',
});
