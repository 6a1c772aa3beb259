import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/messages.ts';
import { typingSchema } from '#contract/realtime.ts';
import { inTransaction } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { requireMember } from '../../platform/session/caller.ts';
import { readConversation, readConversations, readHistory, unreadConversations } from './reads.ts';
import { keepMeetingAnswer } from './meetings.ts';
import { edit, read, remove, send, whoSeesTyping, type Written } from './messages.ts';
import { emitWritten, toMessageView, writingTogether } from './writing.ts';

/** Conversations: reading, writing, editing and deleting messages, and read marks. */
export function mountMessages(app: FastifyInstance, deps: Deps): void {
  const { db, pictures, realtime } = deps;
  const together = writingTogether(db);

  mount(app, deps, calls.listConversations).to(async ({ caller, query, now }) => ({
    data: await readConversations(db, caller, query, now, pictures),
  }));
  mount(app, deps, calls.countUnread).to(async ({ caller }) => {
    requireMember(caller);
    return { data: { conversations: await unreadConversations(db, caller) } };
  });
  mount(app, deps, calls.getConversation).to(async ({ caller, params, now }) => ({
    data: { conversation: await readConversation(db, caller, params.id, now, pictures) },
  }));
  mount(app, deps, calls.listMessages).to(async ({ caller, params, query }) => ({
    data: await readHistory(db, caller, params.id, query),
  }));
  /** Call after the commit: both people receive it on every device, each in their own view. */
  const emit = (written: Written) => {
    if (!written.isKnown) emitWritten(realtime, written);
    return { data: { message: toMessageView(written.row, written.row.sender_id, written) } };
  };
  mount(app, deps, calls.sendMessage).to(async ({ caller, params, body, now, once }) => {
    let written: Written | undefined;
    const answer = await once(
      async (tx) => {
        written = await send(tx, together, caller, params.id, body, now);
        return { data: { message: toMessageView(written.row, caller.accountId, written) } };
      },
      { seesToTransaction: true },
    );
    if (written !== undefined) emit(written);
    return answer;
  });
  mount(app, deps, calls.editMessage).to(async ({ caller, params, body, now }) =>
    emit(await inTransaction(db, (tx) => edit(tx, caller, params.id, params.seq, body.text, now))),
  );
  mount(app, deps, calls.deleteMessage).to(async ({ caller, params, now }) =>
    emit(await inTransaction(db, (tx) => remove(tx, caller, params.id, params.seq, now))),
  );
  mount(app, deps, calls.readMessages).to(async ({ caller, params, body, now }) => {
    const { seq, otherId, isNew, sharesActivity } = await inTransaction(db, (tx) =>
      read(tx, caller, params.id, body.seq, now),
    );
    const event = { kind: 'read', matchId: params.id, by: caller.accountId, seq } as const;
    if (isNew) realtime.emit([caller.accountId, ...(sharesActivity ? [otherId] : [])], event);
    return { data: { seq } };
  });

  mount(app, deps, calls.answerMeeting).to(async ({ caller, params, body, now }) => {
    await keepMeetingAnswer(db, caller, params.id, body, now);
    return { data: { asksMeeting: false } };
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
