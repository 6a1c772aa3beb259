import type { MessageView } from '#contract/messages.ts';

/** The loaded part of a conversation: some of its messages by sequence number, and the highest number there is. */
export interface History {
  messages: ReadonlyMap<number, MessageView>;
  lastSeq: number;
  /** The match is over, so nothing can be written any more. */
  isEnded?: boolean;
}

/** A conversation of which nothing has been loaded. */
export const emptyHistory: History = { messages: new Map(), lastSeq: 0 };

/** The later of two states of one message: deleted stays deleted, read stays read. */
function later(known: MessageView | undefined, received: MessageView): MessageView {
  if (known === undefined) return received;
  const isKnownNewer =
    known.text === null || (received.text !== null && (known.editedAt ?? '') > (received.editedAt ?? ''));
  return { ...(isKnownNewer ? known : received), readAt: known.readAt ?? received.readAt };
}

/**
 * The history with these messages added; of two states of a message the later one wins, whichever arrives first. For an answer, `asked`
 * is the history when it was asked for: of messages that have not changed since, the answer has the later state.
 */
export function withMessages(
  history: History,
  received: readonly MessageView[],
  lastSeq = 0,
  asked: History = emptyHistory,
): History {
  const messages = new Map(history.messages);
  for (const message of received) {
    const known = messages.get(message.seq);
    const isUnchanged = known !== undefined && known === asked.messages.get(message.seq);
    messages.set(
      message.seq,
      isUnchanged ? { ...message, readAt: known.readAt ?? message.readAt } : later(known, message),
    );
  }
  return { ...history, messages, lastSeq: Math.max(history.lastSeq, lastSeq, ...received.map(({ seq }) => seq)) };
}

/** Whether an event has a text for a message that is known without one: it is late, or a decision has put the message back. */
export const isDoubtful = (known: MessageView | null | undefined, received: MessageView): boolean =>
  known?.seq === received.seq && known.text === null && received.text !== null;

/** The history after an event about a message. A doubtful one is left out, so that it is loaded when it is shown. */
export function withEvent(history: History, message: MessageView): History {
  if (!isDoubtful(history.messages.get(message.seq), message)) return withMessages(history, [message]);
  const messages = new Map(history.messages);
  messages.delete(message.seq);
  return { ...history, messages };
}

/** The history after a user (`by`) has read everything up to a sequence number. */
export function withRead(history: History, by: string, upTo: number, at: string): History {
  const messages = new Map(history.messages);
  for (const [seq, message] of messages)
    if (seq <= upTo && message.from !== by && message.readAt === null) messages.set(seq, { ...message, readAt: at });
  return { ...history, messages };
}

/** The newest message that fits; the search ends at the first message that is not loaded. */
export function newest({ messages, lastSeq }: History, fits: (message: MessageView) => boolean): MessageView | null {
  for (let seq = lastSeq; seq > 0; seq -= 1) {
    const message = messages.get(seq);
    if (message === undefined) return null;
    if (fits(message)) return message;
  }
  return null;
}

const recent = 100;

/** The client ids of the newest messages: messages sent with one of them have arrived. */
export function arrivedIds({ messages, lastSeq }: History): Set<string> {
  const ids = new Set<string>();
  for (let seq = lastSeq; seq > 0 && seq > lastSeq - recent; seq -= 1) {
    const message = messages.get(seq);
    if (message !== undefined) ids.add(message.clientId);
  }
  return ids;
}

/** The pages of this size within a range of sequence numbers that are not loaded completely, counted from 0. */
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
