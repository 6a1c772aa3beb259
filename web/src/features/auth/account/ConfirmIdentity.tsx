import { type ReactNode, Suspense } from 'react';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import { IdentityButtons } from '../sign-in/IdentityButtons.tsx';
import classes from '../account.module.css';
import { useWaysIn, type WaysInQuery } from '../factors/security-queries.ts';
import { confirmFirstPart } from './confirm-first-part.ts';
import { useNow } from '../../../ui/data/use-now.ts';

/** What stands before something that matters for who has no password: the way to show anew who they are. */
export function ConfirmFirst() {
  const t = useText();
  const ways = useWaysIn(true);
  return (
    <QueryStates
      query={ways}
      loadingText={t('One moment...')}
      skeleton={<Bone height="6rem" />}
      errorText={(error) => t('Error loading your ways to sign in: {error}', { error })}
    >
      {({ identities }) =>
        identities.length === 0 ? (
          <p className={classes.soft}>
            {t('Please sign out, and in again. For ten minutes after that you can go on here.')}
          </p>
        ) : (
          <div className={classes.form}>
            <p className={classes.soft}>
              {t(
                'You sign in without a password. Show once more that it is you, then you can go on here for ten minutes.',
              )}
            </p>
            <IdentityButtons
              purpose="confirm"
              only={identities.map(({ provider }) => provider)}
              text="Confirm with {provider}"
            />
          </div>
        )
      }
    </QueryStates>
  );
}

interface ProvenProps {
  ways: WaysInQuery;
  /** Draws it; `isProven` says that no password is asked for, since there is none and they have just signed in. */
  children: (isProven: boolean) => ReactNode;
}

/** Something that matters: whoever has no password shows first, by whom they sign in with, that it is them. */
export function Proven({ ways: { data }, children }: ProvenProps) {
  const now = useNow(30_000);
  if (data === undefined || data.hasPassword) return children(false);
  if (data.freshUntil !== null && Date.parse(data.freshUntil) > now) return children(true);
  return (
    <Suspense fallback={<Bone height="6rem" />}>
      <confirmFirstPart.Part />
    </Suspense>
  );
}
