import type { Caution } from '#contract/messages.ts';
import { ordinaryEnglish } from './ordinary-english.ts';
import { ordinaryEuropean } from './ordinary-european.ts';
import { ordinaryScripts } from './ordinary-scripts.ts';
import { scamContacts } from './scam-contacts.ts';
import { scamLinks } from './scam-links.ts';
import { scamMoney } from './scam-money.ts';

/** First messages of one kind with the warning that a reader would expect, or null for ordinary ones. */
export interface MessageGroup {
  language: string;
  kind: string;
  caution: Caution | null;
  texts: string[];
}

/** One first message with the group that it belongs to. */
export type LabelledMessage = Omit<MessageGroup, 'texts'> & { text: string };

const groups = [
  ...ordinaryEnglish,
  ...ordinaryEuropean,
  ...ordinaryScripts,
  ...scamContacts,
  ...scamLinks,
  ...scamMoney,
];

const labelledMessages: LabelledMessage[] = groups.flatMap(({ texts, ...group }) =>
  texts.map((text) => ({ ...group, text })),
);

const isHeldOut = (_: unknown, index: number) => index % 3 === 2;

/** Two of every three messages, used to improve the patterns. */
export const known = labelledMessages.filter((message, index) => !isHeldOut(message, index));

/** Every third message, used only for checking: patterns adjusted to these messages would seem better than they are. */
export const heldOut = labelledMessages.filter(isHeldOut);
