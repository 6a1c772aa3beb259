import { Box, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LogoMark } from '../../ui/shell/Logo.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';

interface AuthCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links to other pages, below the card. */
  foot?: ReactNode;
}

/** The card of the members' sign-in pages (sign in, join, verify, reset). */
export function AuthCard({ title, lead, children, foot }: AuthCardProps) {
  return (
    <Box w="100%" maw="30rem" mx="auto" pt="clamp(1.5rem, 0.5rem + 4vw, 3.5rem)" pb="3.5rem" px="var(--hw-gutter)">
      <Paper py="clamp(1.4rem, 0.8rem + 2.4vw, 2.4rem)" px="min(clamp(1.4rem, 0.8rem + 2.4vw, 2.4rem), 6.5vw)">
        <LogoMark size={40} />
        <PageHeading mt="0.9rem" mb={lead ? '0.4rem' : '1.2rem'} fz="min(1.9rem, 11vw)">
          {title}
        </PageHeading>
        {lead && (
          <Text mb="1.4rem" c="dimmed">
            {lead}
          </Text>
        )}
        {children}
      </Paper>
      {foot && (
        <Stack gap="0.4rem" align="center" mt="1.4rem" c="dimmed" ta="center">
          {foot}
        </Stack>
      )}
    </Box>
  );
}

/** A column of fields, notices and buttons on the card. */
export function AuthFields({ children }: { children: ReactNode }) {
  return <Stack gap="1.1rem">{children}</Stack>;
}
