import { Group, Stack, Text, Title } from '@mantine/core';
import type { Figure } from '#contract/service/figures.ts';

/** Large figures next to each other, each above its words. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
  return (
    <Group component="dl" gap="1.5rem 1rem" maw="80rem" mx="auto" py="2.2rem" px="1.25rem" ta="center">
      {figures.map(({ value, label }, index) => (
        // Two can be the same, and none ever moves.
        <Stack key={index} gap={0} flex="1 1 8rem" style={{ flexDirection: 'column-reverse' }}>
          <Text component="dt" c="dimmed" dir="auto">
            {label}
          </Text>
          <Title component="dd" dir="auto" c="var(--hw-accent)" fz="clamp(1.8rem, 1.3rem + 1.6vw, 2.5rem)">
            {value}
          </Title>
        </Stack>
      ))}
    </Group>
  );
}
