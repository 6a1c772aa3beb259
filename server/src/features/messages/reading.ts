import { defaultPageLimit } from '#contract/constants.ts';
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { ConversationView, listConversations, listMessages } from '#contract/messages.ts';
import { invalid, notFound } from '../../platform/http/app-error.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import type { Db } from '../../platform/db/db.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { conversationSeenBy, conversationsPage, messagesPage, placeOf } from './reads.ts';

/** A page of a conversation; 404 if it isn't the caller's match, 403 for staff, 400 for both directions at once. */
export async function readHistory(
  db: Db,
  caller: Caller,
  matchId: string,
  query: QueryOf<typeof listMessages>,
): Promise<AnswerOf<typeof listMessages>['data']> {
  requireMember(caller);
  if (query.after !== undefined && query.before !== undefined) throw invalid('before', 'Use either after or before');
  const page = await messagesPage(db, caller, matchId, query);
  if (page === undefined) throw notFound();
  return page;
}

/** A page of the caller's conversations; 403 for staff, 400 for an invalid cursor. */
export async function readConversations(
  db: Db,
  caller: Caller,
  { cursor, limit = defaultPageLimit }: QueryOf<typeof listConversations>,
  now: Date,
  views: PictureViews,
): Promise<AnswerOf<typeof listConversations>['data']> {
  requireMember(caller);
  const after = cursor === undefined ? null : placeOf(cursor);
  if (cursor !== undefined && after === null) throw invalid('cursor', 'This is no cursor of this list');
  return await conversationsPage(db, caller, after, limit, now, views);
}

/** One of the caller's conversations; 404 for any other, 403 for staff. */
export async function readConversation(
  db: Db,
  caller: Caller,
  matchId: string,
  now: Date,
  views: PictureViews,
): Promise<ConversationView> {
  requireMember(caller);
  const conversation = await conversationSeenBy(db, caller, matchId, now, views);
  if (conversation === undefined) throw notFound();
  return conversation;
}
