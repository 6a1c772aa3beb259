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
import type { ErrorBody } from '#contract/errors.ts';
import { getConfig } from '#contract/system.ts';
import { call } from '../../../api/call.ts';
import { randomKey } from '../../../api/random-key.ts';
import { ApiError } from '../../../api/api-error.ts';
import { resetStatus } from '../session/session.ts';
import { enter, type SignInOutcome } from '../session/session-commands.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useText } from '../../../ui/text/text.ts';
import { useRead } from '../../../api/use-read.ts';

/** What somebody is sent to a provider for. */
export type TripPurpose = 'signIn' | 'link' | 'confirm';

/** A way to a provider and back, as this tab remembers it. */
interface Trip {
  provider: IdentityProvider;
  purpose: TripPurpose;
  /** Comes back with them, so that nobody else's return is taken for theirs. */
  state: string;
  /** The page first asked for, or null. */
  from: string | null;
}

/** What a provider gave out, as the calls take it. */
export type Shown = { tokenId: string } | { accessToken: string };

/** Somebody is back: with what the provider gave out, or without. */
export type Returned = { trip: Trip; shown: Shown } | { trip: Trip | null; shown: null };

const tripKey = 'identity-trip';

/** Remembers, in this tab, that somebody is under way. */
function keepTrip(trip: Trip): void {
  sessionStorage.setItem(tripKey, JSON.stringify(trip));
}

/** Forgets it: they are back. */
export function endTrip(): void {
  sessionStorage.removeItem(tripKey);
}

function keptTrip(): Trip | null {
  const json = sessionStorage.getItem(tripKey);
  return json === null ? null : (JSON.parse(json) as Trip);
}

/** Who is back from a provider by the address they came to, or null where nobody is. */
function returnedBy({ search, hash }: { search: string; hash: string }): Returned | null {
  // Facebook tells what went wrong in the query, and ends every address with a fragment of its own.
  const given = new URLSearchParams(`${hash.slice(1)}&${search.slice(1)}`);
  const [tokenId, accessToken] = [given.get('id_token'), given.get('access_token')];
  if (given.get('state') === null || (tokenId === null && accessToken === null && given.get('error') === null))
    return null;
  const trip = keptTrip();
  if (trip === null || trip.state !== given.get('state')) return { trip: null, shown: null };
  const shown = trip.provider === 'google' ? tokenId && { tokenId } : accessToken && { accessToken };
  return shown ? { trip, shown } : { trip, shown: null };
}

export const providerNames: Record<IdentityProvider, string> = { google: 'Google', facebook: 'Facebook' };

/** Where browsers go to sign in with others. */
export type SignInWith = AnswerOf<typeof getConfig>['data']['signInWith'];
type Place = NonNullable<SignInWith[IdentityProvider]>;

const backTo: Record<TripPurpose, string> = {
  signIn: '/app/sign-in',
  link: '/app/settings',
  confirm: '/app/settings',
};

/** What each provider has to be asked for besides the way back. */
async function askedOf(provider: IdentityProvider): Promise<Record<string, string>> {
  if (provider === 'facebook') return { response_type: 'token', scope: 'public_profile,email' };
  const { nonce } = (await call(googleNonce)).data;
  return { response_type: 'id_token', scope: 'openid email profile', prompt: 'select_account', nonce };
}

/** Leaves for a provider; who comes back is met by `returnedBy`. Throws the `ApiError`. */
export async function beginTrip(
  provider: IdentityProvider,
  place: Place,
  purpose: TripPurpose,
  from: string | null = null,
): Promise<void> {
  const asked = await askedOf(provider);
  const state = randomKey();
  keepTrip({ provider, purpose, state, from });
  const back = new URL(backTo[purpose], window.location.origin).href;
  const address = new URL(place.url, window.location.origin);
  const query = { client_id: place.clientId, redirect_uri: back, state, ...asked };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  window.location.assign(address.href);
}

/** Who is new here, and what they have to say yet to join. */
export type Joining = NonNullable<NonNullable<ErrorBody['data']>['joining']>;

/** As a sign-in ends, or what is asked for first. */
export type ShownOutcome = SignInOutcome | { linkToken: string } | { joining: Joining };

function waitingFor(error: unknown): { linkToken: string } | { joining: Joining } | null {
  if (!(error instanceof ApiError)) return null;
  const { linkToken, joining } = error.data;
  return linkToken !== undefined ? { linkToken } : joining !== undefined ? { joining } : null;
}

async function enterShown(ask: () => Promise<Pick<AnswerOf<typeof login>, 'data'>>): Promise<ShownOutcome> {
  const waiting: ReturnType<typeof waitingFor>[] = [];
  const outcome = await enter(async () => {
    try {
      return await ask();
    } catch (error) {
      waiting.push(waitingFor(error));
      throw error;
    }
  });
  const [asked] = waiting;
  if (asked) resetStatus();
  return asked ?? outcome;
}

/** Signs in by what a provider gave out. */
export function enterWith(shown: Shown): Promise<ShownOutcome> {
  return enterShown(() =>
    'tokenId' in shown ? call(googleSignIn, { body: shown }) : call(facebookSignIn, { body: shown }),
  );
}

/** Joins as whom a provider has shown. */
export function joinShown(body: BodyInput<typeof joinWithIdentity>): Promise<ShownOutcome> {
  return enterShown(() => call(joinWithIdentity, { body }));
}

/** Signs in by the account's password, and links to it whom a provider has shown. */
export function linkShown(body: BodyInput<typeof linkByPassword>): Promise<ShownOutcome> {
  return enterShown(() => call(linkByPassword, { body }));
}

/** Who is back from a provider on this page, until it is settled. What they brought leaves the address bar at once. */
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

interface Ends {
  /** They would link this. */
  onLink: (provider: IdentityProvider, shown: Shown) => void;
  /** They have confirmed that it is them. */
  onConfirmed: (ways: WaysIn) => void;
}

/** Settles in the settings what somebody went to a provider for; answers how it ended, in words where it failed. */
export function useSettledReturn({ onLink, onConfirmed }: Ends): { isConfirmed: boolean; error: string | null } {
  const t = useText();
  const [returned, settle] = useIdentityReturn();
  const confirming = useCommand();
  const [words, setWords] = useState<string | null>(null);
  const isSettled = useRef(false);

  useEffect(() => {
    if (returned === null || isSettled.current) return;
    isSettled.current = true;
    endTrip();
    void settleOne(returned).finally(settle);
  });

  async function settleOne({ trip, shown }: Returned): Promise<void> {
    if (trip === null) return setWords(t('This was not begun in this tab. Please begin again.'));
    const provider = providerNames[trip.provider];
    if (shown === null) return setWords(t('You came back from {provider} without signing in.', { provider }));
    if (trip.purpose === 'link') return onLink(trip.provider, shown);
    await confirming.run(async () => onConfirmed((await call(confirmIdentity, { body: shown })).data));
  }

  return { isConfirmed: confirming.isDone, error: words ?? confirming.error };
}

const nobody: SignInWith = { google: null, facebook: null };

/** By whom one can sign in here, and where; undefined until that is known. */
export function useSignInWith(): SignInWith | undefined {
  const { data, error } = useRead('', async (signal) => (await call(getConfig, { signal })).data.signInWith);
  return error === null ? data : nobody;
}
