import type { MessageView } from '#contract/messages/messages.ts';

/** The loaded part of a conversation: some of its messages by sequence number, and the highest sequence number. */
export interface History {
  messages: ReadonlyMap<number, MessageView>;
  lastSeq: number;
  /** The match has ended, so no more messages can be sent. */
  isEnded?: boolean;
}

export const emptyHistory: History = { messages: new Map(), lastSeq: 0 };

/** The later of two states of one message: a deleted message stays deleted, and a read one stays read. */
function later(known: MessageView | undefined, received: MessageView): MessageView {
  if (known === undefined) return received;
  const isKnownNewer =
    known.text === null || (received.text !== null && (known.editedAt ?? '') > (received.editedAt ?? ''));
  return { ...(isKnownNewer ? known : received), readAt: known.readAt ?? received.readAt };
}

/**
 * Adds these messages to the history. If a message is already loaded, its later state is kept, in whatever order they
 * arrive. For an answer, `asked` is the history when the request was sent: if a message has not changed since then, the
 * answer has its later state.
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

/**
 * Whether an event contains the text of a message that is known to be deleted: the event is late, or a staff decision
 * has restored the message.
 */
export const isDoubtful = (known: MessageView | null | undefined, received: MessageView): boolean =>
  known?.seq === received.seq && known.text === null && received.text !== null;

/**
 * Applies an event about a message. A doubtful one is removed from the history, so that it is loaded again when it is
 * shown.
 */
export function withEvent(history: History, message: MessageView): History {
  if (!isDoubtful(history.messages.get(message.seq), message)) return withMessages(history, [message]);
  const messages = new Map(history.messages);
  messages.delete(message.seq);
  return { ...history, messages };
}

/** Marks everything up to a sequence number as read by the user `by`. */
export function withRead(history: History, by: string, upTo: number, at: string): History {
  const messages = new Map(history.messages);
  for (const [seq, message] of messages)
    if (seq <= upTo && message.from !== by && message.readAt === null) messages.set(seq, { ...message, readAt: at });
  return { ...history, messages };
}

/** The newest message for which `fits` is true. The search ends at the first message that is not loaded. */
export function newest({ messages, lastSeq }: History, fits: (message: MessageView) => boolean): MessageView | null {
  for (let seq = lastSeq; seq > 0; seq -= 1) {
    const message = messages.get(seq);
    if (message === undefined) return null;
    if (fits(message)) return message;
  }
  return null;
}

const recent = 100;

/** The client ids of the newest messages, by which the outbox recognises messages that have arrived. */
export function arrivedIds({ messages, lastSeq }: History): Set<string> {
  const ids = new Set<string>();
  for (let seq = lastSeq; seq > 0 && seq > lastSeq - recent; seq -= 1) {
    const message = messages.get(seq);
    if (message !== undefined) ids.add(message.clientId);
  }
  return ids;
}

/**
 * The numbers (from 0) of the pages of this size that overlap a range of sequence numbers and are not completely
 * loaded.
 */
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
