import { msg } from '@lingui/core/runtime-macro';
import type { Selectable } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { type addNote, type changeNote, noteEditMinutes } from '#contract/moderation/user-file.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Database } from '#platform/db/schema.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { StaffContext } from '../work/case-row.ts';
import { editableUntil, toEntry } from './entries.ts';

type NoteRow = Selectable<Database['staff_note']>;

function entryOf(row: NoteRow, { caller, now }: StaffContext) {
  const actor = { actor_id: row.author_id, actor_name: row.author_name, actor_role: row.author_role };
  const facts = { text: row.text, isEdited: row.edited_at !== null };
  const found = {
    kind: 'note' as const,
    key: row.id,
    at: row.created_at,
    ...actor,
    opens: null,
    opens_id: null,
    facts,
  };
  return toEntry(found, caller, now);
}

/** Writes a note about a person. 404; 403 if the caller may not act on them. */
export async function writeNote(
  context: StaffContext,
  { id, text }: ParamsOf<typeof addNote> & BodyOf<typeof addNote>,
) {
  const { tx, caller, now } = context;
  await requireMayAct(tx, caller, 'user', id);
  const { accountId, name, role } = actorOf(caller);
  const author = { author_id: accountId, author_name: name, author_role: role };
  const row = await tx
    .insertInto('staff_note')
    .values({ account_id: id, ...author, text, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(context, { type: 'user', id }, 'user.noted');
  return entryOf(row, context);
}

/** Changes a note. 404; 403 for anyone but its author, and if they may no longer act on the person; 422 after the time for changes. */
export async function rewriteNote(
  context: StaffContext,
  { id, text }: ParamsOf<typeof changeNote> & BodyOf<typeof changeNote>,
) {
  const { tx, caller, now } = context;
  const before = await tx.selectFrom('staff_note').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (before === undefined) throw notFound();
  await requireMayAct(tx, caller, 'user', before.account_id);
  if (before.author_id !== caller.accountId) throw new AppError('FORBIDDEN', msg`Only its author can change a note`);
  if (now >= editableUntil(before.created_at))
    throw new AppError(
      'TOO_LATE',
      msg`A note can be changed for ${{ noteEditMinutes }} minutes. Please write another one.`,
    );
  if (text === before.text) return entryOf(before, context);
  const row = await tx
    .updateTable('staff_note')
    .set({ text, edited_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(context, { type: 'user', id: row.account_id }, 'user.noteChanged');
  return entryOf(row, context);
}
