import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeading } from '../../ui/layout/Page.tsx';

interface AuthPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links to other pages, below everything else. */
  foot?: ReactNode;
}

/** A page with one task and large type, as in joining: signing in, confirming an address, a new password. */
export function AuthPage({ title, lead, children, foot }: AuthPageProps) {
  return (
    <Box
      w="100%"
      maw="30rem"
      mx="auto"
      pt="clamp(1.5rem, 7vh, 4rem)"
      pb="3.5rem"
      px="max(var(--hw-gutter), min(1.5rem, 6vw))"
    >
      <PageHeading mb={lead ? '0.5rem' : '1.5rem'} fz="min(clamp(2rem, 1.5rem + 2.4vw, 2.7rem), 11vw)">
        {title}
      </PageHeading>
      {lead && (
        <Text mb="1.5rem" c="dimmed">
          {lead}
        </Text>
      )}
      {children}
      {foot && (
        <Stack gap="0.4rem" align="center" mt="1.4rem" c="dimmed" ta="center">
          {foot}
        </Stack>
      )}
    </Box>
  );
}

/** A column of fields, notices and buttons. */
export function AuthFields({ children }: { children: ReactNode }) {
  return <Stack gap="1.1rem">{children}</Stack>;
}
