import { createHmac, timingSafeEqual } from 'node:crypto';
import { appealDays } from '#contract/moderation/decisions.ts';
import type { Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { isUuid } from '#platform/db/uuid.ts';

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

/** What a link is for: a decision and its consequences, one archive of data, or the reports of an outsider. */
type Purpose = 'appeal' | 'archive' | 'outsider';

/** An item, such as a decision, that belongs to the account of the mailbox's owner. An outsider report belongs to itself. */
interface Linked {
  id: string;
  accountId: string;
  email: string;
}

/** Also signs the address a link is mailed to, so that it ends when the account gets another. */
const sign = (key: string, purpose: Purpose, content: string, email: string) =>
  createHmac('sha256', key).update(`${purpose} ${content} ${email}`).digest('base64url').slice(0, 32);

/** The token of a mailed link, which shows something to its owner until it expires, even if they can't sign in. */
export function signedToken(key: string, purpose: Purpose, { id, accountId, email }: Linked, until: Date): string {
  const content = `${id}.${accountId}.${Math.floor(until.getTime() / 1000)}`;
  return `${content}.${sign(key, purpose, content, email)}`;
}

/** The purpose of such a token, and the address it was mailed to; 404 for a forged or expired one, and for one mailed to a former address. */
export async function readToken(
  db: Db,
  key: string,
  purpose: Purpose,
  { token, now }: { token: string; now: Date },
): Promise<Linked> {
  const [id = '', accountId = '', until = '', signature = '', ...more] = token.split('.');
  const isForm = isUuid(id) && isUuid(accountId) && now.getTime() <= Number(until) * 1000 && more.length === 0;
  const owners = db.selectFrom(purpose === 'outsider' ? 'outsider_notice' : 'account').select('email');
  const owner = isForm ? await owners.where('id', '=', accountId).executeTakeFirst() : undefined;
  if (owner === undefined || owner.email === null) throw notFound();
  const { email } = owner;
  const expected = Buffer.from(sign(key, purpose, `${id}.${accountId}.${until}`, email));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound();
  return { id, accountId, email };
}

/**
 * A token for people who can't sign in: it shows one decision to the account it acts on, accepts their appeal, and starts the actions that
 * locked-out members are entitled to.
 */
export const appealToken = (
  key: string,
  { decisionId, ...owner }: Appealable & { email: string },
  until: Date,
): string => signedToken(key, 'appeal', { id: decisionId, ...owner }, until);

/** The purpose of such a token; the errors of `readToken`. */
export async function readAppealToken(db: Db, key: string, token: string, now: Date): Promise<Appealable> {
  const { id: decisionId, accountId } = await readToken(db, key, 'appeal', { token, now });
  return { decisionId, accountId };
}

/** Names no decision, for an account that was closed without a case. */
export const noDecision = '00000000-0000-0000-0000-000000000000';
