import { screen } from '@testing-library/react';
import {
  type ConversationView,
  countUnread,
  deleteMessage,
  editMessage,
  getConversation,
  listConversations,
  listMessages,
  type MessageView,
  readMessages,
  sendMessage,
} from '#contract/messages.ts';
import { somebody } from './deck.ts';
import { Refusal, serve } from './fake-server.ts';
import { serveMyReports } from './own-reports.ts';
import { ownUser } from './people.ts';
import { renderApp } from './render-app.tsx';
import { giveRoom } from './users.ts';

const ownId = ownUser()._id;
const matchedAt = '2025-10-18T10:00:00.000Z';

/** The other one's message unless said otherwise, one minute after the one before it. */
export function message(seq: number, changes: Partial<MessageView> = {}): MessageView {
  return {
    seq,
    clientId: `client-${seq}`,
    from: 'bo',
    text: `Message ${seq}`,
    sentAt: new Date(Date.parse('2025-10-19T10:00:00.000Z') + seq * 60_000).toISOString(),
    editedAt: null,
    readAt: null,
    caution: null,
    ...changes,
  };
}

/** A message of the signed-in member's. */
export function ownMessage(seq: number, changes: Partial<MessageView> = {}): MessageView {
  return message(seq, { from: ownId, ...changes });
}

/** A conversation with somebody, of whom nothing is said yet unless messages are given. */
export function conversationWith(name: string, messages: readonly MessageView[] = []): ConversationView {
  const lastMessage = messages.at(-1) ?? null;
  const unread = messages.filter(({ from, readAt }) => from !== ownId && readAt === null).length;
  return { _id: `match-${name.toLowerCase()}`, user: somebody(name), matchedAt, lastMessage, unread };
}

/** What the server knows of the member's conversations; a test may change it as it goes on. */
interface KnownConversations {
  /** By match. */
  messages: Record<string, MessageView[]>;
  names: string[];
}

const usualMessages = 50;

/** Answers all calls about conversations with these people, and keeps what is written. */
export function serveConversations(messages: Record<string, MessageView[]>): KnownConversations {
  const known: KnownConversations = {
    messages: Object.fromEntries(Object.entries(messages).map(([name, all]) => [`match-${name.toLowerCase()}`, all])),
    names: Object.keys(messages),
  };
  const all = () => known.names.map((name) => conversationWith(name, known.messages[`match-${name.toLowerCase()}`]));
  const of = (id: string) => {
    const found = known.names.some((name) => `match-${name.toLowerCase()}` === id) ? known.messages[id] : undefined;
    if (found === undefined) throw new Refusal('NOT_FOUND', 'Not found');
    return found;
  };
  const change = (id: string, seq: number, changes: Partial<MessageView>) => {
    const found = of(id);
    const at = found.findIndex((one) => one.seq === seq);
    const before = found[at];
    if (before === undefined || before.text === null) throw new Refusal('NOT_FOUND', 'Not found');
    const changed = { ...before, ...changes };
    found[at] = changed;
    return { data: { message: changed } };
  };

  serveMyReports([]);
  serve(listConversations, ({ query: { cursor, limit = 20 } }) => {
    const from = Number(cursor ?? 0);
    const hasMore = from + limit < all().length;
    return {
      data: { conversations: all().slice(from, from + limit), nextCursor: hasMore ? String(from + limit) : null },
    };
  });
  serve(getConversation, ({ params: { id } }) => {
    of(id);
    const [conversation] = all().filter(({ _id }) => _id === id);
    if (conversation === undefined) throw new Refusal('NOT_FOUND', 'Not found');
    return { data: { conversation } };
  });
  // After the one above, whose path fits this one, too.
  serve(countUnread, () => ({ data: { conversations: all().filter(({ unread }) => unread > 0).length } }));
  serve(listMessages, ({ params: { id }, query: { after, limit = usualMessages } }) => {
    const found = of(id);
    const shown = after === undefined ? found.slice(-limit) : found.slice(after, after + limit);
    return { data: { messages: shown, lastSeq: found.length, hasMore: shown.length < found.length } };
  });
  serve(sendMessage, ({ params: { id }, body: { clientId, text } }) => {
    const found = of(id);
    const before = found.find((one) => one.clientId === clientId);
    const sent = before ?? ownMessage(found.length + 1, { clientId, text, sentAt: new Date().toISOString() });
    if (before === undefined) found.push(sent);
    return { data: { message: sent } };
  });
  serve(editMessage, ({ params: { id, seq }, body: { text } }) =>
    change(id, Number(seq), { text, editedAt: new Date().toISOString() }),
  );
  serve(deleteMessage, ({ params: { id, seq } }) => change(id, Number(seq), { text: null, editedAt: null }));
  serve(readMessages, ({ params: { id }, body: { seq } }) => {
    known.messages[id] = of(id).map((one) =>
      one.from !== ownId && one.seq <= seq ? { ...one, readAt: new Date().toISOString() } : one,
    );
    return { data: { seq } };
  });
  return known;
}

/** Opens the conversation with Bo and waits until it can be written in. */
export async function openConversation() {
  giveRoom();
  const app = renderApp('/app/messages/match-bo', ownUser());
  const field = await screen.findByRole('textbox', { name: 'Write to Bo' });
  return { ...app, field };
}

/** The texts of the messages on the screen, oldest first, with what stands beside them. */
export function shownMessages(): (string | null)[] {
  const log = screen.getByRole('region', { name: 'Messages with Bo' });
  return [...log.querySelectorAll('li')].map((row) => row.textContent);
}
