import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { getSecondFactor } from '#contract/auth/factors.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { useRead } from '../../api/use-read.ts';
import { readCurrentUser, signOut } from '../../features/auth/session/current-user.ts';
import { StaffSetUp, staffSetUpReason } from '../../features/auth/sign-in/StaffSetUp.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useText } from '../../ui/text/text.ts';

/** In place of every page of staff who must have a second step and have shown none: the way to set one up. */
export function StaffGate() {
  const t = useText();
  const navigate = useNavigate();
  const query = useRead('', async (signal) => (await call(getSecondFactor, { signal })).data);

  async function done() {
    await readCurrentUser().catch(() => undefined);
    await queryClient.resetQueries();
  }

  const toDoor = () => void navigate('/login', { replace: true });

  function signInAgain() {
    signOut();
    toDoor();
  }

  return (
    <Page title={t('One more step')}>
      <Panel title={t('Set up your second step')} lead={t(staffSetUpReason)}>
        <QueryStates
          query={query}
          loadingText={t('Loading your second step...')}
          skeleton={<Bone height="8rem" />}
          errorText={(error) => t('Error loading your second step: {error}', { error })}
        >
          {({ since }) =>
            since === null ? (
              <StaffSetUp password={null} onDone={() => void done()} onStartAgain={toDoor} />
            ) : (
              <>
                <p>
                  {t('You have a second step, and have not used it on this device yet. Please sign in again with it.')}
                </p>
                <Button onClick={signInAgain}>{t('Sign in again')}</Button>
              </>
            )
          }
        </QueryStates>
      </Panel>
    </Page>
  );
}
