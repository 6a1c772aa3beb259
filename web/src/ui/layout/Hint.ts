import { Text } from '@mantine/core';

/** Words that support others: smaller and softer. */
export const Hint = Text.withProps({ c: 'dimmed', fz: 'note' });
