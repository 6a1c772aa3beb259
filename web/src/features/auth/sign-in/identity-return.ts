import type { IdentityProvider } from '#contract/auth/identities.ts';

/** What somebody is sent to a provider for. */
export type TripPurpose = 'signIn' | 'link' | 'confirm';

/** A way to a provider and back, as this tab remembers it. */
export interface Trip {
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
export function keepTrip(trip: Trip): void {
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
export function returnedBy({ search, hash }: { search: string; hash: string }): Returned | null {
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
