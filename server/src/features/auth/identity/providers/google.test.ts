import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { googleClientId, startGoogle, type TestIssuer } from '../../../../../test/doubles/google-issuer.ts';
import { createGoogle } from './google.ts';
import { RefusedToken } from './provider.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startGoogle();
});
afterAll(() => issuer.close());

const now = new Date('2026-06-15T12:00:00.000Z');
const configOf = (url: string) => ({
  clientIds: [googleClientId],
  issuers: [url],
  jwksUrl: `${url}/jwks`,
  authorizeUrl: `${url}/auth`,
  clientSecret: null,
  tokenUrl: `${url}/token`,
});
const googleOf = (options: { cooldownMs?: number } = {}) => {
  const { url } = issuer;
  const config = configOf(url);
  return createGoogle(config, fetch, options);
};

describe('Google’s signing keys', () => {
  test('are fetched once for many tokens', async () => {
    let fetched = 0;
    const { url } = issuer;
    const config = configOf(url);
    const google = createGoogle(config, (address, init) => {
      fetched += 1;
      return fetch(address, init);
    });
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issuer.token(now)));
    await Promise.all(tokens.map((token) => google.read(token, null, now)));
    expect(fetched).toBe(1);
  });

  test('are fetched again when Google rotates them, and the old key is rejected', async () => {
    const google = googleOf({ cooldownMs: 0 });
    const before = await issuer.token(now);
    const subject = randomUUID();
    await google.read(await issuer.token(now), null, now);
    await issuer.rotate();
    const after = await issuer.token(now, { sub: subject });
    expect((await google.read(after, null, now)).subject).toBe(subject);
    await expect(google.read(before, null, now)).rejects.toThrow(RefusedToken);
  });

  test('are not fetched again for each token with an unknown key', async () => {
    const google = googleOf();
    await google.read(await issuer.token(now), null, now);
    await issuer.rotate();
    await expect(google.read(await issuer.token(now), null, now)).rejects.toThrow(RefusedToken);
  });
});
