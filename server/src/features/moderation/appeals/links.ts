import { createHmac, timingSafeEqual } from 'node:crypto';
import { appealDays } from '#contract/moderation/decisions.ts';
import type { Db } from '../../../platform/db/db.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { isUuid } from '../../../platform/db/uuid.ts';

const daySeconds = 86_400;

/** The time until which a decision may be appealed. */
export function appealUntil(decidedAt: Date): Date {
  return secondsAfter(decidedAt, appealDays * daySeconds);
}

/** A decision and the account it acts on. */
export interface Appealable {
  decisionId: string;
  accountId: string;
}

/** The signature also covers the address a link is mailed to, so that the link expires when the account gets another address. */
const sign = (key: string, content: string, email: string) =>
  createHmac('sha256', key).update(`appeal ${content} ${email}`).digest('base64url').slice(0, 32);

/** A token that shows one decision to the account it acts on and lets that person appeal, for people who can't sign in. */
export function appealToken(
  key: string,
  { decisionId, accountId, email }: Appealable & { email: string },
  decidedAt: Date,
): string {
  const content = `${decisionId}.${accountId}.${Math.floor(appealUntil(decidedAt).getTime() / 1000)}`;
  return `${content}.${sign(key, content, email)}`;
}

/** The decision and account that such a token is for. Throws 404 for a forged or expired token, and for one mailed to a former address. */
export async function readAppealToken(db: Db, key: string, token: string, now: Date): Promise<Appealable> {
  const [decisionId = '', accountId = '', until = '', signature = '', ...more] = token.split('.');
  const isForm = isUuid(decisionId) && isUuid(accountId) && now.getTime() <= Number(until) * 1000 && more.length === 0;
  const account = isForm
    ? await db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirst()
    : undefined;
  if (account === undefined) throw notFound();
  const expected = Buffer.from(sign(key, `${decisionId}.${accountId}.${until}`, account.email));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound();
  return { decisionId, accountId };
}
