import { t } from '@lingui/core/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  confirmIdentity,
  facebookSignIn,
  googleNonce,
  googleSignIn,
  type IdentityProvider,
  joinWithIdentity,
  linkByPassword,
  type WaysIn,
} from '#contract/auth/identities.ts';
import type { login } from '#contract/auth/session.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { ApiError, errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { randomKey } from '../../../api/request.ts';
import { keepSession } from '../../../api/session/stored-session.ts';
import { configQuery, type ServiceConfig } from '../../../api/service-config.ts';
import { enter, type SignInOutcome } from '../session/session-commands.ts';
import { resetStatus } from '../session/session.ts';
import { tabStorage } from '../../../browser-storage.ts';

/** Why people are sent to a provider. */
export type TripPurpose = 'signIn' | 'link' | 'confirm';

/** A redirect to a provider, which this tab remembers until the person comes back. */
interface Trip {
  provider: IdentityProvider;
  purpose: TripPurpose;
  /** Returned in the address, so that a return is only accepted if this tab started it. */
  state: string;
  /** The page that was requested before signing in, or null. */
  from: string | null;
  /**
   * Proves to the provider that the code is used by the tab that requested it; absent if the provider returns a token.
   */
  codeVerifier?: string;
}

/** The credential issued by a provider, in the form that the endpoints take. */
export type IdentityToken =
  | { tokenId: string }
  | { authorizationCode: string; codeVerifier: string; redirectUri: string }
  | { accessToken: string };

/** A return from a provider, with or without a token. */
export type Returned = { trip: Trip; token: IdentityToken } | { trip: Trip | null; token: null };

const tripKey = 'identity-trip';

/** Clears the stored redirect after the person has come back. */
export function endTrip(): void {
  tabStorage.remove(tripKey);
}

function keptTrip(): Trip | null {
  const json = tabStorage.read(tripKey);
  return json === null ? null : (JSON.parse(json) as Trip);
}

/** The return from a provider that an address contains, or null. */
function returnedBy({ search, hash }: { search: string; hash: string }): Returned | null {
  // Facebook puts errors into the query, and appends its own fragment to every address.
  const given = new URLSearchParams(`${hash.slice(1)}&${search.slice(1)}`);
  const [tokenId, accessToken, code] = ['id_token', 'access_token', 'code'].map((name) => given.get(name) || null);
  if (given.get('state') === null || (!tokenId && !accessToken && !code && given.get('error') === null)) return null;
  const trip = keptTrip();
  if (trip === null || trip.state !== given.get('state')) return { trip: null, token: null };
  const { provider, codeVerifier, purpose } = trip;
  let token: IdentityToken | null = null;
  if (provider === 'facebook') token = accessToken ? { accessToken } : null;
  else if (codeVerifier !== undefined)
    token = code ? { authorizationCode: code, codeVerifier, redirectUri: returnAddress(purpose) } : null;
  else token = tokenId ? { tokenId } : null;
  return token ? { trip, token } : { trip, token: null };
}

/** The providers' names. */
export const providerNames: Record<IdentityProvider, string> = { google: 'Google', facebook: 'Facebook' };

/** The address and client id of each provider; null for those that are not configured. */
export type SignInWith = ServiceConfig['signInWith'];
type Endpoint = NonNullable<SignInWith[IdentityProvider]>;

const backTo: Record<TripPurpose, string> = {
  signIn: '/app/sign-in',
  link: '/app/settings',
  confirm: '/app/settings',
};

/** The address that providers send people back to. */
const returnAddress = (purpose: TripPurpose) => new URL(backTo[purpose], window.location.origin).href;

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The S256 challenge of a code verifier (RFC 7636). */
async function challengeOf(codeVerifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))));
}

/** The parameters that each provider expects besides the return address. */
async function parametersOf(
  provider: IdentityProvider,
  codeVerifier: string | undefined,
): Promise<Record<string, string>> {
  if (provider === 'facebook') return { response_type: 'token', scope: 'public_profile,email' };
  const { nonce } = (await call(googleNonce)).data;
  const asked = { scope: 'openid email profile', prompt: 'select_account', nonce };
  if (codeVerifier === undefined) return { ...asked, response_type: 'id_token' };
  const code_challenge = await challengeOf(codeVerifier);
  return { ...asked, response_type: 'code', code_challenge, code_challenge_method: 'S256' };
}

/** The error in browsers where nothing lasts until the person comes back. */
export const notStored = (): ApiError =>
  new ApiError({
    message: t`Your browser doesn't let this page store anything, which this way of signing in needs. Allow it in the browser's settings, or sign in with your email and password.`,
    code: 'NOT_STORED',
    status: null,
  });

/** Redirects to a provider; `useIdentityReturn` handles the return. Throws an `ApiError` on failure. */
export async function beginTrip(
  provider: IdentityProvider,
  endpoint: Endpoint,
  purpose: TripPurpose,
  from: string | null = null,
): Promise<void> {
  const usesCode = 'usesCode' in endpoint && endpoint.usesCode;
  const codeVerifier = usesCode ? base64Url(crypto.getRandomValues(new Uint8Array(32))) : undefined;
  const parameters = await parametersOf(provider, codeVerifier);
  const trip: Trip = {
    provider,
    purpose,
    state: randomKey(),
    from,
    ...(codeVerifier !== undefined && { codeVerifier }),
  };
  if (!tabStorage.write(tripKey, JSON.stringify(trip))) throw notStored();
  const address = new URL(endpoint.url, window.location.origin);
  const query = {
    client_id: endpoint.clientId,
    redirect_uri: returnAddress(purpose),
    state: trip.state,
    ...parameters,
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  window.location.assign(address.href);
}

/** A new person, and what is missing before they can register. */
export type Joining = NonNullable<NonNullable<ErrorBody['data']>['joining']>;

/**
 * What has to be asked before signing in with a provider can finish: the account's password, or consent to register.
 */
export type IdentityQuestion = { linkToken: string } | { joining: Joining };
export type IdentityOutcome = SignInOutcome | IdentityQuestion;

function questionOf(error: unknown): IdentityQuestion | null {
  if (!(error instanceof ApiError)) return null;
  const { linkToken, joining } = error.data;
  return linkToken !== undefined ? { linkToken } : joining !== undefined ? { joining } : null;
}

/** Like `enter`, for a request that may be answered with a question. */
export async function enterWith(
  ask: () => Promise<Pick<AnswerOf<typeof login>, 'data'>>,
  options?: { staffOnly: boolean },
): Promise<IdentityOutcome> {
  const questions: (IdentityQuestion | null)[] = [];
  const outcome = await enter(async () => {
    try {
      return await ask();
    } catch (error) {
      questions.push(questionOf(error));
      throw error;
    }
  }, options);
  const [question] = questions;
  if (question) resetStatus();
  return question ?? outcome;
}

/** Signs in with the credential that a provider issued. */
export function signInWithIdentity(token: IdentityToken): Promise<IdentityOutcome> {
  return enterWith(() =>
    'accessToken' in token ? call(facebookSignIn, { body: token }) : call(googleSignIn, { body: token }),
  );
}

/** Registers with an identity that a provider has confirmed. */
export function joinByIdentity(body: BodyInput<typeof joinWithIdentity>): Promise<IdentityOutcome> {
  return enterWith(() => call(joinWithIdentity, { body }));
}

/** Signs in with the account's password and links an identity that a provider has confirmed. */
export function linkIdentity(body: BodyInput<typeof linkByPassword>): Promise<IdentityOutcome> {
  return enterWith(() => call(linkByPassword, { body }));
}

/** The return from a provider on this page, until it has been handled. It is removed from the address bar at once. */
export function useIdentityReturn(): [returned: Returned | null, settle: () => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const [returned, setReturned] = useState(() => returnedBy(location));
  const isInAddress = returnedBy(location) !== null;
  const { pathname } = location;

  useEffect(() => {
    if (isInAddress) void navigate(pathname, { replace: true });
  }, [isInAddress, navigate, pathname]);

  return [returned, () => setReturned(null)];
}

interface SettledReturnProps {
  onLink: (provider: IdentityProvider, token: IdentityToken) => void;
  onConfirmed: (ways: WaysIn) => void;
}

/** Finishes in the settings what people were sent to a provider for. Returns whether it worked, and if not, why. */
export function useSettledReturn({ onLink, onConfirmed }: SettledReturnProps) {
  const [returned, settle] = useIdentityReturn();
  const [text, setText] = useState<string | null>(null);
  const isSettled = useRef(false);
  const confirming = useMutation({
    mutationFn: async (token: IdentityToken) => {
      const { token: access, refreshToken, ...ways } = (await call(confirmIdentity, { body: token })).data;
      keepSession({ token: access, refreshToken });
      return ways;
    },
    onSuccess: onConfirmed,
    onSettled: settle,
  });

  useEffect(() => {
    if (returned === null || isSettled.current) return;
    isSettled.current = true;
    endTrip();
    finish(returned);
  });

  function finish({ trip, token }: Returned) {
    if (token !== null && trip.purpose !== 'link') return confirming.mutate(token);
    if (trip === null) setText(t`This was started in another tab. Please try again.`);
    else if (token !== null) onLink(trip.provider, token);
    else setText(t`You came back from ${{ provider: providerNames[trip.provider] }} without signing in.`);
    settle();
  }

  return { isConfirmed: confirming.isSuccess, error: text ?? errorMessage(confirming.error) };
}

const none: SignInWith = { google: null, facebook: null };

/** The providers that people can sign in with on this service; undefined until known. */
export function useSignInWith(): SignInWith | undefined {
  const { data, error } = useQuery(configQuery);
  return error === null ? data?.signInWith : none;
}
