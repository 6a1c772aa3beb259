import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import { IdentityButtons } from '../sign-in/IdentityButtons.tsx';
import classes from '../factors/SecondFactor.module.css';
import { useWaysIn } from '../factors/use-ways-in.ts';

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
