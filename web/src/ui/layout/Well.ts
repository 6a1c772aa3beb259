import { Paper } from '@mantine/core';

/** A recessed area in a card. */
export const Well = Paper.withProps({
  withBorder: false,
  radius: 'md',
  shadow: 'none',
  py: '0.8rem',
  px: '1rem',
  bg: 'var(--hw-sunken)',
});
