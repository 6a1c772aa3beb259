import { describe, expect, it } from 'vitest';
import { logout, refreshToken } from '#contract/auth/session.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { endSessionOnServer } from '../call.ts';

describe('endSessionOnServer', () => {
  it('renews an expired access token once, so that the session really ends', async () => {
    serve(refreshToken, () => ({ data: { token: 'new', refreshToken: 'refresh-new' } }));
    serve(logout, ({ token }) => {
      if (token === 'old') throw new Refusal('UNAUTHENTICATED', 'Ran out');
      return { data: {} };
    });
    await endSessionOnServer({ token: 'old', refreshToken: 'refresh-old' });
    expect(received(logout).map(({ token }) => token)).toEqual(['old', 'new']);
    expect(localStorage).toHaveLength(0);
  });

  it('ignores a missing answer', async () => {
    serve(logout, () => {
      throw new CutOff();
    });
    await expect(endSessionOnServer({ token: 'old', refreshToken: null })).resolves.toBeUndefined();
  });
});
