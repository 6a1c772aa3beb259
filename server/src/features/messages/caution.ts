import type { Caution } from '#contract/messages/messages.ts';
import { hasContact } from './cautions/contacts.ts';
import { hasLink } from '#platform/links.ts';
import { asksForMoney } from './cautions/money.ts';
import { plain } from '#contract/readable.ts';

/**
 * The warning for a message from someone the receiver hardly knows, or null: money first, then other ways of contact, then links. Only the
 * receiver sees it, and the message is always delivered.
 */
export function cautionFor(text: string): Caution | null {
  const read = plain(text);
  if (asksForMoney(read)) return 'money';
  if (hasContact(read.toLowerCase())) return 'contact';
  return hasLink(read) ? 'link' : null;
}
