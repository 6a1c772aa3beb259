import { t } from '@lingui/core/macro';
import { Divider, Loader, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type IdentityProvider, identityProviders } from '#contract/auth/identities.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import classes from '../auth.module.css';
import { beginTrip, providerNames, type TripPurpose, useSignInWith } from './identities.ts';

interface IdentityButtonProps {
  provider: IdentityProvider;
  text: string;
  isBusy: boolean;
  onPress: () => void;
}

function IdentityButton({ provider, text, isBusy, onPress }: IdentityButtonProps) {
  return (
    <button type="button" className={classes.provider} aria-disabled={isBusy || undefined} onClick={onPress}>
      {isBusy ? <Loader size={20} color="currentColor" aria-hidden="true" /> : <ProviderLogo provider={provider} />}
      {text}
    </button>
  );
}

interface IdentityButtonsProps {
  purpose: TripPurpose;
  /** The providers to offer, if they are configured. */
  only?: readonly IdentityProvider[];
  /** The text of each button. */
  text: (provider: string) => string;
  /** The page that was requested before signing in. */
  from?: string | null;
  /** Whether the word "or" is above or below these buttons. */
  or?: 'above' | 'below';
}

/** Buttons for signing in with the identity providers that this service has. */
export function IdentityButtons({ purpose, only = identityProviders, text, from = null, or }: IdentityButtonsProps) {
  const places = useSignInWith();
  const leaving = useMutation({ mutationFn: (go: () => Promise<void>) => go() });
  const offered = places === undefined ? [] : only.filter((provider) => places[provider] !== null);

  // After the browser's Back button, the page is restored as it was left, with a busy button.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && leaving.reset();
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  });

  if (places !== undefined && offered.length === 0) return null;
  const divider = <Divider my="1.3rem" label={<Hint component="span">{t`or`}</Hint>} />;
  return (
    <div>
      {or === 'above' && divider}
      <Stack gap="0.75rem">
        {places === undefined && only.map((provider) => <Skeleton key={provider} height="2.625rem" />)}
        {offered.map((provider) => {
          const place = places?.[provider];
          return (
            place && (
              <IdentityButton
                key={provider}
                provider={provider}
                text={text(providerNames[provider])}
                isBusy={leaving.isPending}
                onPress={() => !leaving.isPending && leaving.mutate(() => beginTrip(provider, place, purpose, from))}
              />
            )
          );
        })}
        {leaving.error && <Notice kind="error">{errorMessage(leaving.error)}</Notice>}
      </Stack>
      {or === 'below' && divider}
    </div>
  );
}

/** A provider's logo, in its own colours on any background. */
export function ProviderLogo({ provider, size = 20 }: { provider: IdentityProvider; size?: number }) {
  if (provider === 'facebook') {
    return (
      <svg width={size} height={size} viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="18" fill="#0866ff" />
        <path
          fill="#fff"
          d="m25 23 .8-5.2h-5v-3.4c0-1.4.7-2.8 2.9-2.8H26V7.2s-2-.4-4-.4c-4.1 0-6.8 2.5-6.8 7v4h-4.5V23h4.5v12.6a18 18 0 0 0 5.6 0V23z"
        />
      </svg>
    );
  }
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <path
        fill="#ea4335"
        d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
      />
      <path
        fill="#4285f4"
        d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
      />
      <path
        fill="#fbbc05"
        d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24s.92 7.54 2.56 10.78z"
      />
      <path
        fill="#34a853"
        d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
      />
    </svg>
  );
}
