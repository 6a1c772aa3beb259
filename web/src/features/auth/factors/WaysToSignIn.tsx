import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  addIdentity,
  identityProviders,
  type IdentityProvider,
  removeIdentity,
  type WaysIn,
} from '#contract/auth/identities.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale, t } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { ConfirmIdentity } from '../account/ConfirmIdentity.tsx';
import { ProofForm } from '../account/ProofForm.tsx';
import { protectionQuery, useWaysToSignIn, waysToSignInQuery } from '../queries.ts';
import {
  beginTrip,
  type IdentityToken,
  providerNames,
  type SignInWith,
  useSettledReturn,
  useSignInWith,
} from '../sign-in/identities.ts';
import { ProviderLogo } from '../sign-in/IdentityButtons.tsx';

const keepWays = (ways: WaysIn) => queryClient.setQueryData(waysToSignInQuery.queryKey, ways);

interface WayProps {
  icon: ReactNode;
  name: string;
  state: string;
  children?: ReactNode;
}

function Way({ icon, name, state, children }: WayProps) {
  return (
    <li className={classes.item}>
      {icon}
      <div>
        <p className={classes.name}>{name}</p>
        <p className={classes.facts}>{state}</p>
      </div>
      <div className={classes.buttons}>{children}</div>
    </li>
  );
}

type OpenDialog =
  | { what: 'add'; provider: IdentityProvider; token: IdentityToken }
  | { what: 'remove'; provider: IdentityProvider }
  /** People with no other proof confirm who they are before they leave for another provider. */
  | { what: 'confirm' };

interface ListProps {
  ways: WaysIn;
  places: SignInWith;
  email: string;
}

function List({ ways, places, email }: ListProps) {
  const protection = useQuery(protectionQuery);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const leaving = useMutation({ mutationFn: (go: () => Promise<void>) => go() });
  const result = useRef<HTMLDivElement>(null);
  const { isConfirmed, error } = useSettledReturn({
    onLink: (provider, token) => setOpen({ what: 'add', provider, token }),
    onConfirmed: keepWays,
  });
  const close = () => setOpen(null);
  const proofs = protection.data?.proofs;
  const linked = (provider: IdentityProvider) => ways.identities.find((identity) => identity.provider === provider);
  const shownProviders = identityProviders.filter((one) => places[one] !== null || linked(one) !== undefined);
  const hasResult = isConfirmed || error !== null;

  useEffect(() => {
    // Focus has already returned to the form that asked for it.
    if (hasResult && document.activeElement === document.body) result.current?.scrollIntoView({ block: 'center' });
  }, [hasResult]);

  function link(provider: IdentityProvider, place: NonNullable<SignInWith[IdentityProvider]>) {
    const hasProof = proofs === undefined || proofs.hasPassword || proofs.hasFactor || proofs.hasPasskey;
    const isFresh = ways.freshUntil !== null && Date.parse(ways.freshUntil) > Date.now();
    if (hasProof || isFresh) leaving.mutate(() => beginTrip(provider, place, 'link'));
    else setOpen({ what: 'confirm' });
  }

  async function finish(command: Promise<{ data: WaysIn }>) {
    keepWays((await command).data);
    close();
    result.current?.scrollIntoView({ block: 'center' });
  }

  return (
    <div className={classes.form}>
      <div ref={result}>
        {isConfirmed && <Notice kind="success">{t("Thanks, that's confirmed for the next ten minutes.")}</Notice>}
        {error !== null && <Notice kind="error">{t(error)}</Notice>}
        {leaving.error && <Notice kind="error">{t(errorMessage(leaving.error))}</Notice>}
      </div>
      <ul className={classes.list} aria-label={t('Ways to sign in')}>
        <Way
          icon={<IconLock size={24} stroke={1.5} aria-hidden="true" className={classes.icon} />}
          name={t('Password')}
          state={ways.hasPassword ? t('Set') : t('Not set; you can choose one above')}
        />
        {shownProviders.map((provider) => {
          const [identity, place] = [linked(provider), places[provider]];
          const name = providerNames[provider];
          return (
            <Way
              key={provider}
              icon={<ProviderLogo provider={provider} size={24} />}
              name={name}
              state={identity ? t('Linked {date}', { date: formatDate(identity.linkedAt, locale) }) : t('Not linked')}
            >
              {identity && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('Unlink {provider}', { provider: name })}
                  onClick={() => setOpen({ what: 'remove', provider })}
                >
                  {t('Unlink...')}
                </Button>
              )}
              {!identity && place && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('Link {provider}', { provider: name })}
                  aria-disabled={leaving.isPending || undefined}
                  onClick={() => link(provider, place)}
                >
                  {t('Link...')}
                </Button>
              )}
            </Way>
          );
        })}
      </ul>
      {open?.what === 'confirm' && (
        <Dialog title={t("Confirm it's you")} size="narrow" onClose={close}>
          <ConfirmIdentity />
        </Dialog>
      )}
      {open?.what === 'add' && proofs && (
        <Dialog title={t('Link {provider}?', { provider: providerNames[open.provider] })} size="narrow" onClose={close}>
          <ProofForm
            {...proofs}
            email={email}
            text={t('Link account')}
            busyText={t('Linking...')}
            onProof={(proof) => finish(call(addIdentity, { body: { ...open.token, ...proof } }))}
          >
            <p className={classes.text}>
              {t('You can then sign in with {provider}.', { provider: providerNames[open.provider] })}
            </p>
          </ProofForm>
        </Dialog>
      )}
      {open?.what === 'remove' && proofs && (
        <Dialog
          title={t('Unlink {provider}?', { provider: providerNames[open.provider] })}
          size="narrow"
          onClose={close}
        >
          <ProofForm
            {...proofs}
            email={email}
            text={t('Unlink account')}
            busyText={t('Unlinking...')}
            onProof={(proof) => finish(call(removeIdentity, { params: { provider: open.provider }, body: proof }))}
          >
            <p className={classes.text}>
              {t("You can't sign in with {provider} any more. Your other ways to sign in stay.", {
                provider: providerNames[open.provider],
              })}
            </p>
          </ProofForm>
        </Dialog>
      )}
    </div>
  );
}

/** How the member signs in: what is set up, what can be linked, and what can be unlinked. */
export function WaysToSignIn({ email }: { email: string }) {
  const places = useSignInWith();
  return (
    <QueryStates
      query={useWaysToSignIn()}
      loadingText={t('Loading your ways to sign in...')}
      skeleton={<Skeleton height="9rem" />}
      errorText={(error) => t("Couldn't load your ways to sign in: {error}", { error })}
    >
      {(data) =>
        places === undefined ? <Skeleton height="9rem" /> : <List ways={data} places={places} email={email} />
      }
    </QueryStates>
  );
}
