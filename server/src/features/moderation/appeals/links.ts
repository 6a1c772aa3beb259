import { createHmac, timingSafeEqual } from 'node:crypto';
import { appealDays } from '#contract/moderation/appeal.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { isUuid } from '../../../platform/session/caller.ts';

const daySeconds = 86_400;

/** Until when a decision may be appealed. */
export function appealUntil(decidedAt: Date): Date {
  return secondsAfter(decidedAt, appealDays * daySeconds);
}

/** A decision and the account it acts on. */
export interface Appealable {
  decisionId: string;
  accountId: string;
}

const sign = (key: string, content: string) =>
  createHmac('sha256', key).update(`appeal ${content}`).digest('base64url').slice(0, 32);

/** A token that shows one decision to the account it acts on and takes their appeal, for people who can't sign in. */
export function appealToken(key: string, { decisionId, accountId }: Appealable, decidedAt: Date): string {
  const content = `${decisionId}.${accountId}.${Math.floor(appealUntil(decidedAt).getTime() / 1000)}`;
  return `${content}.${sign(key, content)}`;
}

/** What such a token is for; 404 for a forged or expired one. */
export function readAppealToken(key: string, token: string, now: Date): Appealable {
  const [decisionId = '', accountId = '', until = '', signature = '', ...more] = token.split('.');
  const expected = Buffer.from(sign(key, `${decisionId}.${accountId}.${until}`));
  const given = Buffer.from(signature);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected) && more.length === 0;
  if (!isOurs || !isUuid(decisionId) || !isUuid(accountId) || now.getTime() > Number(until) * 1000) throw notFound();
  return { decisionId, accountId };
}
