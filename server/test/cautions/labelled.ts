import type { Caution } from '#contract/messages.ts';
import { ordinaryEnglish } from './ordinary-english.ts';
import { ordinaryEuropean } from './ordinary-european.ts';
import { ordinaryScripts } from './ordinary-scripts.ts';
import { scamContacts } from './scam-contacts.ts';
import { scamLinks } from './scam-links.ts';
import { scamMoney } from './scam-money.ts';

/** First messages of one kind with the caution that a reader would expect, or null for ordinary ones. */
export interface MessageGroup {
  language: string;
  kind: string;
  caution: Caution | null;
  texts: string[];
}

const groups = [
  ...ordinaryEnglish,
  ...ordinaryEuropean,
  ...ordinaryScripts,
  ...scamContacts,
  ...scamLinks,
  ...scamMoney,
];

/** All labelled first messages, each with the group that it belongs to. */
export const labelledMessages = groups.flatMap(({ texts, ...group }) => texts.map((text) => ({ ...group, text })));

const isHeldOut = (_: unknown, index: number) => index % 3 === 2;

/** The messages that the patterns were improved with: two of each three. */
export const known = labelledMessages.filter((message, index) => !isHeldOut(message, index));

/** Every third message. The patterns were written without looking at how these are judged. */
export const heldOut = labelledMessages.filter(isHeldOut);
