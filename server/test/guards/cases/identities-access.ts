import { everyone, memberOnly, type Row } from '../access-cells.ts';
import { idTokenOf, linkTokenFor } from './identities-requests.ts';
import { newAddress } from '../people.ts';

/** Staff sign in only by password; unknown people are refused as at sign-in. */
const signingIn = { ...everyone(200), moderator: 403, administrator: 403, deactivated: 403, leaving: 403 };

/** Who may call what about identities. */
export const identitiesRows: Record<string, Row> = {
  'GET /auth/google/nonce': { cells: everyone(200) },
  'POST /auth/google': {
    cells: signingIn,
    others: {
      status: 401,
      request: async ({ test, other }) => ({ body: { tokenId: `${await idTokenOf(test, other.email)}x` } }),
    },
  },
  'POST /auth/facebook': {
    cells: signingIn,
    others: { status: 401, request: ({ other }) => ({ body: { accessToken: 'none', userID: other.id } }) },
  },
  'POST /auth/link': {
    cells: signingIn,
    others: {
      status: 403,
      request: async ({ test, other }) => ({
        body: { linkToken: await linkTokenFor(test, other.email), password: 'not my own one' },
      }),
    },
  },
  'POST /auth/join': {
    cells: everyone(201),
    others: { status: 400, request: ({ other }) => ({ body: { joinToken: other.refreshToken, acceptTerms: true } }) },
  },
  'GET /auth/identities': { cells: memberOnly(200) },
  'POST /auth/identities': {
    cells: { ...memberOnly(200), unverified: 403 },
    others: {
      status: 403,
      request: async ({ test }) => ({
        body: { tokenId: await idTokenOf(test, newAddress()), password: 'not my own one' },
      }),
    },
  },
  'DELETE /auth/identities/{provider}': {
    cells: memberOnly(200),
    others: { status: 403, request: () => ({ params: { provider: 'google' }, body: { password: 'not my own one' } }) },
  },
  'POST /auth/confirm': {
    cells: memberOnly(200),
    others: {
      status: 422,
      request: async ({ test, other }) => ({ body: { tokenId: await idTokenOf(test, other.email) } }),
    },
  },
};
