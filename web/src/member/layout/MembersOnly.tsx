import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../features/auth/session/session.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { t } from '../../ui/text/text.ts';

/** A page that is of no use to staff, who meet nobody; they are told so. */
export function MembersOnly({ title, children }: { title: string; children: ReactNode }) {
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  if (!isStaff) return children;
  return (
    <Page title={title}>
      <EmptyState isFramed text={t('This is for members. Staff accounts meet nobody.')} />
      <p>
        <Button component={Link} to="/dashboard" variant="default">
          {t('To the dashboard')}
        </Button>
      </p>
    </Page>
  );
}
