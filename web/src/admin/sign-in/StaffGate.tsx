import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { queryClient } from '../../api/query-client.ts';
import { protectionQuery } from '../../features/auth/queries.ts';
import { readCurrentUser, signOut } from '../../features/auth/session/session.ts';
import { StaffSetUp, staffSetUpReason } from '../../features/auth/sign-in/StaffSetUp.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Page, Panel } from '../../ui/layout/Page.tsx';

/** Replaces every staff page for staff who must use two-step verification and haven't yet: they set it up here. */
export function StaffGate() {
  const navigate = useNavigate();
  const toSignIn = () => void navigate('/login', { replace: true });

  async function done() {
    await readCurrentUser().catch(() => undefined);
    await queryClient.resetQueries();
  }

  function signInAgain() {
    signOut();
    toSignIn();
  }

  return (
    <Page title={t`One more step`}>
      <Panel title={t`Set up two-step verification`} lead={t(staffSetUpReason)}>
        <QueryStates
          query={useQuery(protectionQuery)}
          loadingText={t`Loading two-step verification...`}
          skeleton={<Skeleton height="8rem" />}
          errorText={(error) => t`Couldn't load two-step verification: ${error}`}
        >
          {({ proofs }) =>
            !proofs.hasFactor && !proofs.hasPasskey ? (
              <StaffSetUp password={proofs.hasPassword ? null : ''} onDone={() => void done()} onRestart={toSignIn} />
            ) : (
              <>
                <p>
                  {t`You have two-step verification but have not used it on this device yet. Sign in again to use it.`}
                </p>
                <Button onClick={signInAgain}>{t`Sign in again`}</Button>
              </>
            )
          }
        </QueryStates>
      </Panel>
    </Page>
  );
}
