import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { AppealBox } from '../../features/moderation/statements/AppealBox.tsx';
import { DecisionText } from '../../features/moderation/statements/StatementList.tsx';
import { linkedStatementQuery, useLinkedAppeal } from '../../features/moderation/statements/linked.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { AuthPage, AuthFields } from '../sign-in/AuthPage.tsx';

/** Includes the form for a second factor, which the decision doesn't need. */
const [ArchiveDownload] = lazyPart(
  async () => (await import('./ArchiveDownload.tsx')).ArchiveDownload,
  <Skeleton height="18rem" />,
);
/** What someone who is locked out can do besides appealing. */
const [LockedAccount] = lazyPart(
  async () => (await import('../../features/moderation/statements/LockedAccount.tsx')).LockedAccount,
  <Skeleton height="12rem" />,
);
/** Only locked-out members with a purchase need its two steps. */
const [LinkedWithdrawal] = lazyPart(
  async () => (await import('./LinkedWithdrawal.tsx')).LinkedWithdrawal,
  <Skeleton height="6rem" />,
);
/** The prefix of a token in the emailed link to an archive. */
const archivePrefix = 'archive.';

/**
 * Shows a decision to the person it is about, who may be locked out, and accepts their appeal; they can also get their data and unused
 * premium back. Opening the page changes nothing.
 */
export function AppealPage() {
  const { hash } = useLocation();
  const token = hash.slice(1);
  return token.startsWith(archivePrefix) ? (
    <ArchiveDownload token={token.slice(archivePrefix.length)} />
  ) : (
    <Decision key={token} token={token} />
  );
}

function Decision({ token }: { token: string }) {
  const query = useQuery(linkedStatementQuery(token));
  const appeal = useLinkedAppeal(token);
  const isWrong = token === '' || (query.error instanceof ApiError && (query.error.status ?? 500) < 500);

  if (isWrong)
    return (
      <AuthPage title={t`This link no longer works`}>
        <AuthFields>
          <Notice kind="warning">
            {t`Open the whole link from our email. If it has expired and you are locked out, try to sign in: we can send you a new link there.`}
          </Notice>
          <Button component={Link} to="/app/support" size="md">
            {t`Sign in`}
          </Button>
        </AuthFields>
      </AuthPage>
    );
  return (
    <AuthPage title={query.data?.notice === null ? t`Your account is closed` : t`A decision about your account`}>
      <QueryStates
        query={query}
        loadingText={t`Loading the decision...`}
        skeleton={<Skeleton height="18rem" />}
        errorText={(error) => t`Couldn't load the decision: ${error}`}
      >
        {({ notice: statement, locked }) => (
          <>
            {statement === null && (
              <p dir="auto">{locked?.reason ?? t`You can't sign in. If that's a mistake, contact support.`}</p>
            )}
            {statement !== null && (
              <>
                <DecisionText decision={statement} />
                <AppealBox
                  right={statement.appeal}
                  lead={t`Do you disagree?`}
                  send={(text) => appeal.mutateAsync(text)}
                />
              </>
            )}
            {locked !== null && (
              <LockedAccount
                token={token}
                locked={locked}
                withdrawal={
                  locked.withdrawal != null ? <LinkedWithdrawal token={token} {...locked.withdrawal} /> : null
                }
              />
            )}
          </>
        )}
      </QueryStates>
    </AuthPage>
  );
}
