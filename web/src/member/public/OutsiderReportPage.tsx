import { t } from '@lingui/core/macro';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { errorCode } from '../../api/api-error.ts';
import { usePart } from '../../brand.ts';
import { OutsiderReportForm } from '../../features/moderation/outsiders/OutsiderReportForm.tsx';
import { OwnOutsiderReports } from '../../features/moderation/outsiders/OwnOutsiderReports.tsx';
import { ownOutsiderReportsQuery } from '../../features/moderation/outsiders/queries.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

function Sent({ hasEmail, onMore }: { hasEmail: boolean; onMore: () => void }) {
  return (
    <NarrowPage title={t`Thank you, we received your notice`}>
      <Paper p="clamp(1.1rem, 0.7rem + 2vw, 1.8rem)">
        <Stack gap="1rem" align="flex-start">
          <Text>{t`A person on our team will read it.`}</Text>
          {hasEmail && (
            <Text>
              {t`We email you a link to your notices, at most once a day. If you wrote to us earlier today, open that link again: it shows this notice, too.`}
            </Text>
          )}
          <Button variant="default" onClick={onMore}>
            {t`Send another notice`}
          </Button>
        </Stack>
      </Paper>
    </NarrowPage>
  );
}

function Write() {
  const [sent, setSent] = useState<{ hasEmail: boolean } | null>(null);
  if (sent !== null) return <Sent hasEmail={sent.hasEmail} onMore={() => setSent(null)} />;
  return (
    <NarrowPage
      title={t`Tell us about something illegal or harmful`}
      lead={
        <>
          {t`This form is for everyone, with or without an account. A person reads it and decides.`}{' '}
          <Link to="/app/support/new">{t`Are you a member? Report it from the profile or the conversation.`}</Link>
        </>
      }
    >
      <OutsiderReportForm onSent={(hasEmail) => setSent({ hasEmail })} />
    </NarrowPage>
  );
}

function Follow({ token }: { token: string }) {
  const query = useQuery(ownOutsiderReportsQuery(token));
  const isWrong = ['NOT_FOUND', 'INVALID_INPUT'].includes(errorCode(query.error) ?? '');
  const isOffered = usePart('notices');
  return (
    <NarrowPage title={isWrong ? t`This link no longer works` : t`Your notices`}>
      {isWrong ? (
        <Notice kind="warning">
          {isOffered
            ? t`Open the whole link from our newest email, or send a new notice.`
            : t`Open the whole link from our newest email.`}
        </Notice>
      ) : (
        <QueryStates
          query={query}
          loadingText={t`Loading your notices...`}
          skeleton={<Skeleton height="18rem" />}
          errorText={(error) => t`Couldn't load your notices: ${error}`}
        >
          {({ notices: reports }) => <OwnOutsiderReports reports={reports} token={token} />}
        </QueryStates>
      )}
    </NarrowPage>
  );
}

/** Opening the link confirms the address it was sent to. Mail scanners must not do this, so a click is required. */
function Open({ token }: { token: string }) {
  const [isPressed, setPressed] = useState(false);
  if (isPressed) return <Follow token={token} />;
  return (
    <NarrowPage title={t`Your notices`} lead={t`See what became of them. This also confirms your email address.`}>
      <Button style={{ alignSelf: 'flex-start' }} onClick={() => setPressed(true)}>
        {t`Show my notices`}
      </Button>
    </NarrowPage>
  );
}

/** The page for people who are not members, where they report something, unless the owner has that switched off, and, with an emailed link, see the result. */
export function OutsiderReportPage() {
  const token = useLocation().hash.slice(1);
  const isOffered = usePart('notices');
  if (token !== '') return <Open key={token} token={token} />;
  return isOffered ? <Write /> : <Navigate to="/app/safety" replace />;
}
