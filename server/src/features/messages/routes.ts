import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/messages/messages.ts';
import { typingSchema } from '#contract/realtime.ts';
import type { Deps } from '../../deps.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { answerMeeting } from './meetings.ts';
import { whoSeesTyping } from './conversation.ts';
import { endKindly } from './goodbye.ts';
import { deleteMessage, edit } from './own-message.ts';
import { matchEndedEvent, matchEvent } from './events.reads.ts';
import { readWaiting } from './turns.reads.ts';
import { markRead, unreadConversations } from './unread.ts';
import { type GivenReaction, react } from './reactions.ts';
import { readConversation, readConversations, readHistory } from './reads.ts';
import { send } from './send.ts';
import { snooze } from './snooze.ts';
import { emitMessage, emitToReceiver, toMessageView, type Written } from './views.ts';

/** Mounts conversations: reading, writing, editing and deleting messages, and read marks. */
export function mountMessages(app: FastifyInstance, deps: Deps): void {
  const { db, pictures, realtime, clock } = deps;

  mount(app, deps, calls.listConversations).to(async ({ caller, query, now }) => ({
    data: await readConversations({ db, pictures, caller, now }, query),
  }));
  mount(app, deps, calls.listWaiting).to(async ({ caller, now }) => ({
    data: await readWaiting({ db, pictures, caller, now }),
  }));
  mount(app, deps, calls.countUnread).to(async ({ caller, now }) => {
    requireMember(caller);
    return { data: { conversations: await unreadConversations(db, caller, now) } };
  });
  mount(app, deps, calls.getConversation).to(async ({ caller, params, now }) => ({
    data: { conversation: await readConversation({ db, pictures, caller, now }, params.id) },
  }));
  mount(app, deps, calls.listMessages).to(async ({ caller, params, query, now }) => ({
    data: await readHistory({ db, pictures, caller, now }, params.id, query),
  }));
  /** Sends the message to both people once it is committed; its sender also receives it as the answer. */
  const emitAndShow = ({ after }: { after(work: () => void): void }, written: Written) => {
    if (written.isChanged) after(() => emitMessage(deps, written));
    const { row, senderNumbers, attached } = written;
    const viewing = { ...written, numbers: senderNumbers, pictures, now: clock.now() };
    return { data: { message: toMessageView(row, row.sender_id, viewing, attached) } };
  };
  mount(app, deps, calls.sendMessage).to(async (context) =>
    emitAndShow(context, await send(context, { ...context.params, ...context.body })),
  );
  mount(app, deps, calls.editMessage).to(async (context) =>
    emitAndShow(context, await edit(context, { ...context.params, ...context.body })),
  );
  mount(app, deps, calls.deleteMessage).to(async (context) =>
    emitAndShow(context, await deleteMessage(context, context.params)),
  );
  const reactAndShow = async (context: CommandContext, given: GivenReaction) => {
    const reacted = await react(context, given);
    const { row, otherId, otherNumbers, attached, isChanged } = reacted;
    if (isChanged) context.after(() => emitMessage(deps, reacted));
    const viewing = { ...reacted, numbers: otherNumbers, pictures, now: clock.now() };
    return { data: { message: toMessageView(row, otherId, viewing, attached) } };
  };
  mount(app, deps, calls.reactToMessage).to((context) => reactAndShow(context, { ...context.params, ...context.body }));
  mount(app, deps, calls.removeReaction).to((context) => reactAndShow(context, { ...context.params, emoji: null }));
  mount(app, deps, calls.readMessages).to(async (context) => {
    const { after, caller, params, body } = context;
    const { seq, otherSeq, otherId, isNew, sharesActivity } = await markRead(context, { ...params, ...body });
    const event = { kind: 'read', matchId: params.id, by: caller.accountId } as const;
    if (isNew)
      after(() => {
        realtime.emit([caller.accountId], { ...event, seq });
        if (sharesActivity) realtime.emit([otherId], { ...event, seq: otherSeq });
      });
    return { data: { seq } };
  });

  mount(app, deps, calls.endKindly).to(async (context) => {
    const goodbye = await endKindly(context, { ...context.params, ...context.body });
    context.after(() => emitToReceiver(deps, goodbye));
    return { message: 'Match ended', data: { unmatched: true } };
  });
  mount(app, deps, calls.answerMeeting).to(async (context) => {
    await answerMeeting(context, { ...context.params, ...context.body });
    return { data: { asksMeeting: false } };
  });

  mount(app, deps, calls.snoozeConversation).to(async (context) => {
    const { after, caller, params, body } = context;
    const snoozedUntil = await snooze(context, { ...params, ...body });
    // Without rows the event only makes this member's devices fetch their lists.
    after(() => realtime.emit([caller.accountId], { kind: 'match', matchId: params.id }));
    return { data: { snoozedUntil } };
  });

  realtime.readFor({
    match: (reads, accountId, matchId) => matchEvent(reads, accountId, matchId, { now: clock.now(), pictures }),
    matchEnded: (reads, accountId, matchId) => matchEndedEvent(reads, accountId, matchId, clock.now()),
  });
  realtime.on({
    typing: async (accountId, payload) => {
      const { data } = typingSchema.safeParse(payload);
      const otherId = data && (await whoSeesTyping(db, accountId, data.matchId));
      if (data !== undefined && otherId !== undefined)
        realtime.emit([otherId], { kind: 'typing', matchId: data.matchId });
    },
  });
}
