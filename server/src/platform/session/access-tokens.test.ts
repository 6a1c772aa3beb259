import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accessTokenTtlSeconds } from '#contract/constants.ts';
import { secondsAfter } from '../process/clock.ts';
import { createAccessTokens } from './access-tokens.ts';

const now = new Date('2026-05-04T12:00:00Z');
const [accountId, sessionId] = [randomUUID(), randomUUID()];
const tokens = createAccessTokens('x'.repeat(43));

describe('an access token', () => {
  it('contains its account, its session and its expiry', async () => {
    const token = await tokens.sign(accountId, sessionId, now);
    const claims = { accountId, sessionId, endsAt: secondsAfter(now, accessTokenTtlSeconds) };
    expect(await tokens.read(token, now)).toEqual(claims);
    expect(await tokens.read(token, now)).toEqual(claims);
  });

  it('expires, whether or not it was verified before', async () => {
    const read = await tokens.sign(accountId, sessionId, now);
    const unread = await tokens.sign(accountId, randomUUID(), now);
    expect(await tokens.read(read, now)).not.toBeNull();
    const expired = secondsAfter(now, accessTokenTtlSeconds + 5);
    for (const token of [read, unread]) expect(await tokens.read(token, expired)).toBeNull();
  });

  it('is rejected with another secret', async () => {
    const token = await tokens.sign(accountId, sessionId, now);
    expect(await createAccessTokens('y'.repeat(43)).read(token, now)).toBeNull();
  });
});
