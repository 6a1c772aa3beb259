import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  addIdentity,
  type IdentityProvider,
  identityProviders,
  removeIdentity,
  type WaysIn,
} from '#contract/auth/identities.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ConfirmFirst } from '../account/ConfirmIdentity.tsx';
import {
  beginTrip,
  providerNames,
  type Shown,
  type SignInWith,
  useSettledReturn,
  useSignInWith,
} from '../sign-in/identities.ts';
import { ProofForm } from '../account/ProofForm.tsx';
import { ProviderLogo } from '../sign-in/IdentityButtons.tsx';
import classes from '../account.module.css';
import { useProtection, type WaysInQuery } from './security-queries.ts';

interface WayProps {
  icon: ReactNode;
  name: string;
  /** How it stands. */
  state: string;
  children?: ReactNode;
}

function Way({ icon, name, state, children }: WayProps) {
  return (
    <li className={classes.passkey}>
      {icon}
      <div>
        <p className={classes.name}>{name}</p>
        <p className={classes.facts}>{state}</p>
      </div>
      <div className={classes.buttons}>{children}</div>
    </li>
  );
}

type Asked =
  | { what: 'add'; provider: IdentityProvider; shown: Shown }
  | { what: 'remove'; provider: IdentityProvider }
  /** Who has nothing else to prove themselves with does so before they leave for another provider. */
  | { what: 'confirm' };

interface ListProps {
  ways: WaysIn;
  places: SignInWith;
  onWays: (ways: WaysIn) => void;
  email: string;
}

function List({ ways, places, onWays, email }: ListProps) {
  const t = useText();
  const locale = useLocale();
  const { query: protection } = useProtection();
  const [asked, setAsked] = useState<Asked | null>(null);
  const leaving = useCommand();
  const result = useRef<HTMLDivElement>(null);
  const { isConfirmed, error } = useSettledReturn({
    onLink: (provider, shown) => setAsked({ what: 'add', provider, shown }),
    onConfirmed: onWays,
  });
  const close = () => setAsked(null);
  const needs = protection.data?.needs;
  const linked = (provider: IdentityProvider) => ways.identities.find((identity) => identity.provider === provider);
  const shownProviders = identityProviders.filter((one) => places[one] !== null || linked(one) !== undefined);
  const hasWords = isConfirmed || error !== null;

  useEffect(() => {
    if (hasWords) result.current?.scrollIntoView({ block: 'center' });
  }, [hasWords]);

  function link(provider: IdentityProvider, place: NonNullable<SignInWith[IdentityProvider]>) {
    const hasProof = needs === undefined || needs.hasPassword || needs.hasFactor || needs.hasPasskey;
    const isFresh = ways.freshUntil !== null && Date.parse(ways.freshUntil) > Date.now();
    if (hasProof || isFresh) void leaving.run(() => beginTrip(provider, place, 'link'));
    else setAsked({ what: 'confirm' });
  }

  async function finish(command: Promise<{ data: WaysIn }>) {
    onWays((await command).data);
    close();
    result.current?.scrollIntoView({ block: 'center' });
  }

  return (
    <div className={classes.form}>
      <div ref={result}>
        {isConfirmed && (
          <Notice kind="success">{t('Thank you. For ten minutes nothing more is asked for here.')}</Notice>
        )}
        {error !== null && <Notice kind="error">{t(error)}</Notice>}
        {leaving.error !== null && <Notice kind="error">{t(leaving.error)}</Notice>}
      </div>
      <ul className={classes.passkeys} aria-label={t('Ways to sign in')}>
        <Way
          icon={<IconLock size={24} stroke={1.5} aria-hidden="true" className={classes.icon} />}
          name={t('Password')}
          state={ways.hasPassword ? t('Set') : t('None yet; you can choose one above')}
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
                  onClick={() => setAsked({ what: 'remove', provider })}
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
      {asked?.what === 'confirm' && (
        <Dialog title={t('Is it you?')} size="narrow" onClose={close}>
          <ConfirmFirst />
        </Dialog>
      )}
      {asked?.what === 'add' && needs && (
        <Dialog
          title={t('Link {provider}?', { provider: providerNames[asked.provider] })}
          size="narrow"
          onClose={close}
        >
          <ProofForm
            {...needs}
            email={email}
            text={t('Link it')}
            busyText={t('Linking...')}
            onProof={(proof) => finish(call(addIdentity, { body: { ...asked.shown, ...proof } }))}
          >
            <p className={classes.text}>
              {t('From then on {provider} signs you in here.', { provider: providerNames[asked.provider] })}
            </p>
          </ProofForm>
        </Dialog>
      )}
      {asked?.what === 'remove' && needs && (
        <Dialog
          title={t('Unlink {provider}?', { provider: providerNames[asked.provider] })}
          size="narrow"
          onClose={close}
        >
          <ProofForm
            {...needs}
            email={email}
            text={t('Unlink it')}
            busyText={t('Unlinking...')}
            onProof={(proof) => finish(call(removeIdentity, { params: { provider: asked.provider }, body: proof }))}
          >
            <p className={classes.text}>
              {t('{provider} does not sign you in here any more. Your other ways to sign in stay.', {
                provider: providerNames[asked.provider],
              })}
            </p>
          </ProofForm>
        </Dialog>
      )}
    </div>
  );
}

/** By what one signs in: what is there, what can be linked, and what is taken off again. */
export function WaysToSignIn({ ways, email }: { ways: WaysInQuery; email: string }) {
  const t = useText();
  const places = useSignInWith();
  return (
    <QueryStates
      query={ways}
      loadingText={t('Loading your ways to sign in...')}
      skeleton={<Bone height="9rem" />}
      errorText={(error) => t('Error loading your ways to sign in: {error}', { error })}
    >
      {(data) =>
        places === undefined ? (
          <Bone height="9rem" />
        ) : (
          <List ways={data} places={places} onWays={(next) => ways.change(() => next)} email={email} />
        )
      }
    </QueryStates>
  );
}
