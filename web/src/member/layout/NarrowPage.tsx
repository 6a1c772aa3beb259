import { t } from '@lingui/core/macro';
import { Box, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../features/auth/session/session.ts';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { BackLink, Page, PageHeading } from '../../ui/layout/Page.tsx';
import classes from './NarrowPage.module.css';

interface NarrowPageProps {
  title: string;
  /** The parent page, which the back link leads to. */
  back?: { to: string; text: string };
  lead?: ReactNode;
  /** Buttons next to the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a member's page in one column. */
export function NarrowPage({ title, back, lead, actions, children }: NarrowPageProps) {
  return (
    <div className={classes.page}>
      {back && (
        <BackLink to={back.to} data-screen-only>
          {back.text}
        </BackLink>
      )}
      <Group gap="0.75rem 1.25rem" justify="space-between" mb={lead ? 0 : '1rem'}>
        <PageHeading my="0.35rem">{title}</PageHeading>
        {actions}
      </Group>
      {lead && (
        <Box mt="0.35rem" mb="1.25rem" c="dimmed">
          {lead}
        </Box>
      )}
      {children}
    </div>
  );
}

/** A page for members only; staff see a notice and a link to their dashboard. */
export function MembersOnly({ title, children }: { title: string; children: ReactNode }) {
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  if (!isStaff) return children;
  return (
    <Page title={title}>
      <EmptyState isFramed text={t`This is for members. Staff accounts can't use matching.`} />
      <Text mt="1rem">
        <Button component={Link} to="/dashboard" variant="default">
          {t`To the dashboard`}
        </Button>
      </Text>
    </Page>
  );
}
