import type { MessageView } from '#contract/messages.ts';

/** What is known of a conversation: some of its messages by their place, and the newest place there is. */
export interface History {
  messages: ReadonlyMap<number, MessageView>;
  lastSeq: number;
}

export const emptyHistory: History = { messages: new Map(), lastSeq: 0 };

/** The later of two states of one message: what is deleted stays so, what was read stays read. */
function later(known: MessageView | undefined, told: MessageView): MessageView {
  if (known === undefined) return told;
  const isOlder = known.text === null || (told.text !== null && (known.editedAt ?? '') > (told.editedAt ?? ''));
  return { ...(isOlder ? known : told), readAt: known.readAt ?? told.readAt };
}

/** The history with these messages in it, as the later of both has them. */
export function withMessages(history: History, told: readonly MessageView[], lastSeq = 0): History {
  const messages = new Map(history.messages);
  for (const message of told) messages.set(message.seq, later(messages.get(message.seq), message));
  return { messages, lastSeq: Math.max(history.lastSeq, lastSeq, ...told.map(({ seq }) => seq)) };
}

/** The history after somebody has read everything up to a place. */
export function withRead(history: History, by: string, upTo: number, at: string): History {
  const messages = new Map(history.messages);
  for (const [seq, message] of messages)
    if (seq <= upTo && message.from !== by && message.readAt === null) messages.set(seq, { ...message, readAt: at });
  return { ...history, messages };
}

/** The newest message that fits, looking back from the newest for as long as messages are known without a gap. */
export function newest({ messages, lastSeq }: History, fits: (message: MessageView) => boolean): MessageView | null {
  for (let seq = lastSeq; seq > 0; seq -= 1) {
    const message = messages.get(seq);
    if (message === undefined) return null;
    if (fits(message)) return message;
  }
  return null;
}

const recent = 100;

/** The names of the newest messages: what has one of them is no longer on its way. */
export function arrivedIds({ messages, lastSeq }: History): Set<string> {
  const ids = new Set<string>();
  for (let seq = lastSeq; seq > 0 && seq > lastSeq - recent; seq -= 1) {
    const message = messages.get(seq);
    if (message !== undefined) ids.add(message.clientId);
  }
  return ids;
}

/** The pages of this size that hold these places and are not known whole. */
export function missingPages({ messages, lastSeq }: History, from: number, to: number, size: number): number[] {
  const pages: number[] = [];
  const last = Math.floor((Math.min(to, lastSeq) - 1) / size);
  for (let page = Math.max(0, Math.floor((from - 1) / size)); page <= last; page += 1) {
    const end = Math.min((page + 1) * size, lastSeq);
    for (let seq = page * size + 1; seq <= end; seq += 1) {
      if (messages.has(seq)) continue;
      pages.push(page);
      break;
    }
  }
  return pages;
}
