import { Loader } from '@mantine/core';
import { useEffect } from 'react';
import { identityProviders, type IdentityProvider } from '#contract/auth/identities.ts';
import { useCommand } from '../../../api/use-command.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from './IdentityButtons.module.css';
import type { TripPurpose } from './identity-return.ts';
import { beginTrip, providerNames } from './identity-trip.ts';
import { ProviderLogo } from './ProviderLogo.tsx';
import { useSignInWith } from './use-sign-in-with.ts';

interface IdentityButtonProps {
  provider: IdentityProvider;
  text: string;
  isBusy: boolean;
  onPress: () => void;
}

function IdentityButton({ provider, text, isBusy, onPress }: IdentityButtonProps) {
  return (
    <button type="button" className={classes.button} aria-disabled={isBusy || undefined} onClick={onPress}>
      {isBusy ? <Loader size={20} color="currentColor" aria-hidden="true" /> : <ProviderLogo provider={provider} />}
      {text}
    </button>
  );
}

interface IdentityButtonsProps {
  purpose: TripPurpose;
  /** Which are offered, of those that are there. */
  only?: readonly IdentityProvider[];
  /** Said on each, with `{provider}`. */
  text: string;
  /** The page first asked for. */
  from?: string | null;
  /** Where the word between these and the form stands. */
  or?: 'above' | 'below';
}

/** The ways to sign in with others, as far as this service has any. */
export function IdentityButtons({ purpose, only = identityProviders, text, from = null, or }: IdentityButtonsProps) {
  const t = useText();
  const places = useSignInWith();
  const leaving = useCommand();
  const offered = places === undefined ? [] : only.filter((provider) => places[provider] !== null);

  // Whoever comes back by the browser's own button finds the page as they left it.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && leaving.reset();
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  });

  if (places !== undefined && offered.length === 0) return null;
  const divider = <p className={classes.or}>{t('or')}</p>;
  return (
    <div>
      {or === 'above' && divider}
      <div className={classes.buttons}>
        {places === undefined && only.map((provider) => <Bone key={provider} height="2.625rem" />)}
        {offered.map((provider) => {
          const place = places?.[provider];
          return (
            place && (
              <IdentityButton
                key={provider}
                provider={provider}
                text={t(text, { provider: providerNames[provider] })}
                isBusy={leaving.isPending}
                onPress={() => void leaving.run(() => beginTrip(provider, place, purpose, from))}
              />
            )
          );
        })}
        {leaving.error !== null && <Notice kind="error">{t(leaving.error)}</Notice>}
      </div>
      {or === 'below' && divider}
    </div>
  );
}
