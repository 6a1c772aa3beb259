import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../../../platform/config/secrets.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { appealUntil } from '../appeals/links.ts';

const sign = (key: string, content: string, email: string) =>
  keyedHash(key, `outsider ${content} ${email}`).toString('base64url').slice(0, 32);

/** The token of a mail about a notice: it opens all notices from the address that the mail goes to, as long as appeals are possible. */
export function noticeToken(key: string, { id, email }: { id: string; email: string }, now: Date): string {
  const content = `${id}.${Math.floor(appealUntil(now).getTime() / 1000)}`;
  return `${content}.${sign(key, content, email)}`;
}

/** The email address that a token was mailed to. 404 for a forged or expired one. */
async function readNoticeToken(db: Db, key: string, token: string, now: Date): Promise<string> {
  const [id = '', until = '', signature = '', ...more] = token.split('.');
  const isForm = isUuid(id) && now.getTime() <= Number(until) * 1000 && more.length === 0;
  const notice = isForm
    ? await db.selectFrom('outsider_notice').select('email').where('id', '=', id).executeTakeFirst()
    : undefined;
  if (notice === undefined || notice.email === null) throw notFound();
  const expected = Buffer.from(sign(key, `${id}.${until}`, notice.email));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound();
  return notice.email;
}

/** Notes that someone reads the mailbox to which a token was mailed; returns its address. 404 for a forged or expired token. */
export async function confirmAddress(tx: Db, key: string, token: string, now: Date): Promise<string> {
  const email = await readNoticeToken(tx, key, token, now);
  await tx
    .updateTable('outsider_notice')
    .set({ confirmed_at: now })
    .where('email', '=', email)
    .where('confirmed_at', 'is', null)
    .execute();
  return email;
}
