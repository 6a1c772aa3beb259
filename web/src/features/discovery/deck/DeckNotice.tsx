import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

interface DeckNoticeProps {
  ref?: Ref<HTMLDivElement>;
  icon?: ReactNode;
  title: string;
  children: ReactNode;
}

/** Shown in place of the deck while there is no card to show. */
export function DeckNotice({ icon, title, children, ...box }: DeckNoticeProps) {
  return (
    <Paper
      tabIndex={-1}
      w="calc(100% - 2 * var(--hw-gutter))"
      maw="36rem"
      my="var(--hw-gutter)"
      mx="auto"
      p="clamp(1.25rem, 0.8rem + 2vw, 2rem)"
      shadow="none"
      {...box}
    >
      {icon}
      <Stack>
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  );
}
