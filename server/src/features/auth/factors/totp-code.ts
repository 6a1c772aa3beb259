import { Secret, TOTP } from 'otpauth';

const issuer = 'Heartwood';
/** Codes of the time step before and after count too, for clocks that differ and people who type slowly. */
const window = 1;
const period = 30;

/** A new key for an authenticator app, in the letters it is typed with. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address behind the square that authenticator apps read. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer, label: email, secret, period }).toString();
}

/** The time step whose code this is, or null if it is none of now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), period, timestamp, window });
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta;
}
