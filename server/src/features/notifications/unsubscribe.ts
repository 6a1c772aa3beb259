import { createHmac, timingSafeEqual } from 'node:crypto';
import { notificationKinds, type NotificationKind } from '#contract/notifications.ts';
import { isUuid } from '../../platform/session/caller.ts';

const sign = (key: string, content: string) =>
  createHmac('sha256', key).update(`unsubscribe ${content}`).digest('base64url').slice(0, 22);

/** A token that unsubscribes an account from some kinds of mail: the kinds' letters, the account id, and a signature. */
export function unsubscribeToken(key: string, accountId: string, kinds: readonly NotificationKind[]): string {
  const content = `${notificationKinds.map((kind, index) => (kinds.includes(kind) ? index : '')).join('')}.${accountId}`;
  return `${content}.${sign(key, content)}`;
}

/** The account and kinds of such a token; null if the signature is invalid. */
export function readUnsubscribeToken(
  key: string,
  token: string,
): { accountId: string; kinds: NotificationKind[] } | null {
  const [numbers = '', accountId = '', signature = '', ...more] = token.split('.');
  const expected = Buffer.from(sign(key, `${numbers}.${accountId}`));
  const given = Buffer.from(signature);
  if (more.length > 0) return null;
  if (given.length !== expected.length || !timingSafeEqual(given, expected) || !isUuid(accountId)) return null;
  return { accountId, kinds: notificationKinds.filter((_, index) => numbers.includes(String(index))) };
}
