import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNow } from '../../../ui/data/Time.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { useWaysToSignIn } from '../queries.ts';
import { IdentityButtons } from '../sign-in/IdentityButtons.tsx';

/** Asks people without a password to confirm their identity before a sensitive change. */
export function ConfirmIdentity() {
  return (
    <QueryStates
      query={useWaysToSignIn()}
      loadingText={t`One moment...`}
      skeleton={<Skeleton height="6rem" />}
      errorText={(error) => t`Couldn't load your sign-in methods: ${error}`}
    >
      {({ identities }) =>
        identities.length === 0 ? (
          <Hint>{t`Sign out and sign in again. You then have ten minutes to continue here.`}</Hint>
        ) : (
          <Stack maw="30rem">
            <Hint>
              {t`You sign in without a password. Confirm it's you, and you can continue here for ten minutes.`}
            </Hint>
            <IdentityButtons
              purpose="confirm"
              only={identities.map(({ provider }) => provider)}
              text={(provider) => t`Confirm with ${provider}`}
            />
          </Stack>
        )
      }
    </QueryStates>
  );
}

interface ConfirmedProps {
  isMember: boolean;
  /**
   * Renders the protected part. `isProven` means that no password is required: the account has none, and the person has
   * just signed in.
   */
  children: (isProven: boolean) => ReactNode;
}

/** Protects a sensitive part of the settings: people without a password have to confirm their identity first. */
export function Confirmed({ isMember, children }: ConfirmedProps) {
  const { data } = useWaysToSignIn(isMember);
  const now = useNow(30_000);
  if (data === undefined || data.hasPassword) return children(false);
  if (data.freshUntil !== null && Date.parse(data.freshUntil) > now) return children(true);
  return <ConfirmIdentity />;
}
