import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type GivenNotice, proofBits, proofMinutes } from '#contract/moderation/outsider-notices.ts';
import { keyedHash } from '../../../platform/config/secrets.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';

const sign = (key: string, content: string) => keyedHash(key, `notice challenge ${content}`).toString('base64url');

/** A challenge that costs its solver some time. Nothing is stored: the signature and the time in it make it ours. */
export function newChallenge(key: string, now: Date): string {
  const until = Math.floor(secondsAfter(now, proofMinutes * 60).getTime() / 1000);
  const content = `${until}.${randomBytes(12).toString('base64url')}`;
  return `${content}.${sign(key, content)}`;
}

/** Whether a number solves a challenge. */
export function solves(challenge: string, counter: number): boolean {
  const digest = createHash('sha256').update(`${challenge}.${counter}`).digest();
  return digest.readUInt32BE(0) >>> (32 - proofBits) === 0;
}

/** Throws 400 unless the challenge is ours, still valid and solved. */
export function requireProof(key: string, { challenge, counter }: GivenNotice['proof'], now: Date): void {
  const [until = '', nonce = '', signature = '', ...more] = challenge.split('.');
  const expected = Buffer.from(sign(key, `${until}.${nonce}`));
  const given = Buffer.from(signature);
  const isOurs = more.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isOurs || now.getTime() > Number(until) * 1000 || !solves(challenge, counter))
    throw new AppError('CHALLENGE_EXPIRED', 'That took too long. Send it again.');
}
