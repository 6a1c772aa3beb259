import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RingsArt } from '../layout/RingsArt.tsx';

interface EmptyPlaceProps {
  text: string;
  /** What to do, or what will be here. */
  hint: string;
  /** A button or link to the next step. */
  action?: ReactNode;
}

/** A member's page with nothing on it yet, drawn with growth rings. */
export function EmptyPlace({ text, hint, action }: EmptyPlaceProps) {
  return (
    <Stack gap="0.6rem" align="center" py="2rem" ta="center">
      <Box w="min(9rem, 40%)" c="var(--hw-accent)" opacity={0.5}>
        <RingsArt />
      </Box>
      <Text ff="heading" fz="title" fw={600}>
        {text}
      </Text>
      <Text maw="24rem" mb="0.6rem" c="dimmed">
        {hint}
      </Text>
      {action}
    </Stack>
  );
}
