import type { Selectable } from 'kysely';
import type * as z from 'zod/mini';
import type { messageSchema, QuoteView, ReactionEmoji } from '#contract/messages/messages.ts';
import type { Database } from '#platform/db/schema.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import type { Deps } from '../../deps.ts';
import { toMediaViews } from './media/views.ts';
import { numberOf, type Numbering } from './numbering.ts';

export type MessageRow = Selectable<Database['message']>;

/** Whether two people see when the other was last active: both must show it. */
export interface Openness {
  sharesActivity: boolean;
}

/** How someone sees the messages of a conversation. */
export interface Viewing extends Openness {
  numbers: Numbering;
  /** What signs the addresses of media, and the time from which they work. */
  pictures: Pick<PictureViews, 'addresses'>;
  now: Date;
}

interface Reaction {
  accountId: string;
  emoji: ReactionEmoji;
}

/** What is stored beside a message and shown with it. */
export interface Attached {
  reactions: readonly Reaction[];
  /** The message that it answers; as `reply_to`, its `seq` is negative if it is a held message of the sender. */
  quote: Pick<MessageRow, 'seq' | 'own_seq' | 'sender_id' | 'body' | 'media' | 'removed_at'> | null;
}

const nothingAttached: Attached = { reactions: [], quote: null };

/**
 * A message and the person who didn't write it. Each side has its own numbers (see `Numbering`), so that neither finds a gap. A held message
 * has a `row.seq` of 0 or less, and only its sender sees it.
 */
export interface Message extends Openness {
  row: MessageRow;
  otherId: string;
  senderNumbers: Numbering;
  otherNumbers: Numbering;
  attached?: Attached | undefined;
}

/** The message of a command; `isChanged` is false if the command had nothing to change. */
export interface Written extends Message {
  isChanged: boolean;
}

/** Whether a held message was edited only before its delivery, so that its receiver doesn't learn of the edit. */
const isEditedBefore = ({ own_sent_at, edited_at, sent_at }: MessageRow) =>
  own_sent_at !== null && edited_at !== null && edited_at <= sent_at;

/** Whether the sender may not see when a message was read, because one of the two hides their activity now or hid it at that time. */
const isReadHidden = (row: MessageRow, { sharesActivity }: Openness) => !sharesActivity || row.is_read_hidden === true;

/**
 * A quoted message as one of the two sees it now; null for a message of the other person that was held when it was answered, even if it has
 * been delivered since.
 */
function quoteFor({ quote }: Attached, row: MessageRow, viewerId: string, { numbers }: Viewing): QuoteView | null {
  if (quote === null) return null;
  if (quote.sender_id !== viewerId && (quote.seq < 1 || (row.seq > 0 && quote.seq > row.seq))) return null;
  const text = quote.removed_at === null || quote.sender_id === viewerId ? quote.body : null;
  const kind = text === null ? undefined : quote.media?.[0]?.kind;
  const seq = quote.seq < 1 ? -quote.seq : placeOf(quote, viewerId, numbers);
  return { seq, from: quote.sender_id, text, ...(kind !== undefined && { kind }) };
}

/** The number of a message for one of the two. */
const placeOf = (
  { seq, own_seq, sender_id }: Pick<MessageRow, 'seq' | 'own_seq' | 'sender_id'>,
  viewerId: string,
  numbers: Numbering,
): number => (own_seq !== null && sender_id === viewerId ? own_seq : numberOf(numbers, seq));

/**
 * A message as one of the two sees it. Only the receiver sees its warning. Its sender
 * sees when it was read, which shows when the other person was active, unless one of the two hides that.
 */
export function toMessageView(
  row: MessageRow,
  viewerId: string,
  viewing: Viewing,
  attached: Attached = nothingAttached,
): z.input<typeof messageSchema> {
  const isOwn = row.sender_id === viewerId;
  const text = row.removed_at === null || isOwn ? row.body : null;
  const replyTo = text === null ? null : quoteFor(attached, row, viewerId, viewing);
  const reactions = text === null ? [] : attached.reactions.map(({ accountId: from, emoji }) => ({ from, emoji }));
  return {
    seq: placeOf(row, viewerId, viewing.numbers),
    clientId: row.client_id,
    from: row.sender_id,
    text,
    ...(row.removed_at !== null && isOwn && { isRemoved: true }),
    sentAt: (isOwn ? row.own_sent_at : null) ?? row.sent_at,
    editedAt: row.deleted_at === null && text !== null && (isOwn || !isEditedBefore(row)) ? row.edited_at : null,
    readAt: isOwn && isReadHidden(row, viewing) ? null : row.read_at,
    caution: isOwn || text === null ? null : row.caution,
    ...(row.media !== null && text !== null && toMediaViews({ ...row, media: row.media }, viewerId, viewing)),
    ...(replyTo !== null && { replyTo }),
    ...(reactions.length > 0 && { reactions }),
  };
}

/** What sends messages to open pages. */
export type Announcer = Pick<Deps, 'realtime' | 'pictures' | 'clock'>;

/** Sends a message to the person who didn't write it, on every device. Call it only after the commit. */
export function emitToReceiver({ realtime, pictures, clock }: Announcer, message: Message): void {
  const { row, otherId, otherNumbers, attached } = message;
  const event = { kind: 'message', matchId: row.conversation_id } as const;
  const viewing = { ...message, numbers: otherNumbers, pictures, now: clock.now() };
  realtime.emit([otherId], { ...event, message: toMessageView(row, otherId, viewing, attached) });
}

/**
 * Sends a message to both people at once, on every device, each in their own view; a held one only to its sender. Call it only after the
 * commit.
 */
export function emitMessage({ realtime, pictures, clock }: Announcer, message: Message): void {
  const { row, otherId, senderNumbers, otherNumbers, sharesActivity, attached } = message;
  const emit = (...accountIds: [string, ...string[]]) => {
    const numbers = accountIds[0] === otherId ? otherNumbers : senderNumbers;
    const viewing = { sharesActivity, numbers, pictures, now: clock.now() };
    realtime.emit(accountIds, {
      kind: 'message',
      matchId: row.conversation_id,
      message: toMessageView(row, accountIds[0], viewing, attached),
    });
  };
  if (row.seq < 1) return emit(row.sender_id);
  const hidesRead = row.read_at !== null && isReadHidden(row, message);
  // The addresses of media are signed for each of the two.
  const isShownSame = row.caution === null && row.removed_at === null && row.media === null;
  const isAttachedSame = attached === undefined || (attached.quote === null && attached.reactions.length === 0);
  const isNumberedSame = senderNumbers.held === 0 && otherNumbers.held === 0 && row.own_sent_at === null;
  if (isShownSame && isAttachedSame && !hidesRead && isNumberedSame) return emit(row.sender_id, otherId);
  emit(row.sender_id);
  emit(otherId);
}
