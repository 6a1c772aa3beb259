import { Text } from '@mantine/core';

/** Supporting text, smaller and in a softer colour. */
export const Hint = Text.withProps({ c: 'dimmed', fz: 'note' });
