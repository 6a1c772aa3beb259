import { timingSafeEqual } from 'node:crypto';
import { nonceMinutes } from '#contract/constants.ts';
import { secondsAfter } from '../../../../platform/process/clock.ts';
import { keyedHash, newToken } from '../../../../platform/config/seal.ts';

/** Nonces that only the browser which asked for one can use, for ten minutes. */
export interface Nonces {
  /** A new nonce, and the `Set-Cookie` header that binds it. */
  issue(now: Date): { nonce: string; cookie: string };
  /** The nonce that a `Cookie` header binds, or null. */
  read(cookies: string | undefined, now: Date): string | null;
}

/** Nonces whose cookies are signed with `secret`; `isSecure` where the service is reached by TLS. */
export function createNonces(secret: string, isSecure: boolean): Nonces {
  const name = isSecure ? '__Host-heartwood-nonce' : 'heartwood-nonce';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const signatureOf = (nonce: string, until: string) => keyedHash(secret, `${nonce}.${until}`);
  return {
    issue(now) {
      const nonce = newToken();
      const until = String(secondsAfter(now, nonceMinutes * 60).getTime());
      const value = `${nonce}.${until}.${signatureOf(nonce, until).toString('base64url')}`;
      return { nonce, cookie: `${name}=${value}; Max-Age=${nonceMinutes * 60}; ${attributes}` };
    },
    read(cookies, now) {
      const given = (cookies ?? '').split(/; */).find((cookie) => cookie.startsWith(`${name}=`));
      const [nonce = '', until = '', signature = ''] = (given ?? '').slice(name.length + 1).split('.');
      const [wanted, shown] = [signatureOf(nonce, until), Buffer.from(signature, 'base64url')];
      const isOurs = shown.length === wanted.length && timingSafeEqual(shown, wanted);
      return isOurs && Number(until) > now.getTime() ? nonce : null;
    },
  };
}
