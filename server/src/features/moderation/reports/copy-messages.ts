import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { MessageLink } from '#contract/moderation/own-cases.ts';
import type { Db } from '#platform/db/db.ts';
import { invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { hashOf, insertEvidence, readCopy } from './evidence.ts';
import { isInScope } from './policy.ts';
import type { LockedReport } from './report-row.ts';

const notTheirs = () =>
  invalid('messages', msg`There is no such message of this person in the evidence of that report`);

/**
 * Copies messages of a person into the evidence of a report. Staff never read a chat: they see messages only around those that a member
 * reported, so a link names a message in the evidence of an earlier report, about the person or filed by them. The whole conversation
 * around it is copied from there, with the time of that copy, whatever happened to the messages since. Both people of that report become
 * parties to the case: the copy names the report, and with it who filed it. 403 for a party of that report; 400 for one that the caller
 * can't open, an altered copy, and messages of someone else.
 */
export async function copyMessages(
  context: CommandContext,
  { reportId, personId }: { reportId: string; personId: string },
  links: readonly MessageLink[],
): Promise<void> {
  for (const [from, named] of Map.groupBy(links, (link) => link.reportId))
    await copyFrom(context, { reportId, personId, from, seqs: named.map(({ seq }) => seq) });
}

async function copyFrom(
  context: CommandContext,
  { reportId, personId, from, seqs }: { reportId: string; personId: string; from: string; seqs: readonly number[] },
): Promise<void> {
  const { tx, caller } = context;
  const source = isUuid(from)
    ? await tx
        .selectFrom('report')
        .selectAll()
        .where('id', '=', from)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (source === undefined || !isInScope(caller.staffRole, source)) throw notTheirs();
  await requireMayAct(tx, caller, 'report', from);
  const isReported = source.reported_id === personId;
  if (!isReported && source.reporter_id !== personId) throw notTheirs();
  const copies = await tx
    .selectFrom('report_evidence')
    .select(['id', 'content', 'hash', 'captured_at'])
    .where('report_id', '=', from)
    .where('kind', '=', 'message')
    .orderBy('captured_at')
    .execute();
  const left = new Set(seqs);
  for (const { id, content, hash, captured_at } of copies) {
    const { messages = [], pictures, voices, copiedFrom = from } = readCopy(content);
    const theirs = messages.map((message) => {
      const by = isReported === (message.by === 'reported') ? ('reported' as const) : ('reporter' as const);
      return { ...message, by, isReported: by === 'reported' && left.has(message.seq) };
    });
    const found = theirs.filter((message) => message.isReported);
    if (found.length === 0) continue;
    if (!hashOf(content).equals(hash)) throw invalid('messages', msg`That copy was altered, so it proves nothing`);
    for (const { seq } of found) left.delete(seq);
    // The pictures of a copy are those of the person its report is about.
    const files = isReported ? { pictures, ...(voices && { voices }) } : { pictures: [] };
    const copy = { profile: null, ...files, messages: theirs, copiedFrom };
    const copyId = await insertEvidence({ ...context, now: captured_at }, reportId, 'message', copy);
    await keepParties(tx, source, { from: id, to: copyId });
  }
  if (left.size > 0) throw notTheirs();
}

/** Stores the people in a copy: both people of the report it was made from and, if that was a copy itself, everyone in that one. */
async function keepParties(
  tx: Db,
  { reporter_id, reported_id }: Pick<LockedReport, 'reporter_id' | 'reported_id'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    insert into evidence_party (account_id, evidence_id)
    select id, ${to}::uuid from (values (${reporter_id}::uuid), (${reported_id}::uuid)) person (id) where id is not null
    union select account_id, ${to}::uuid from evidence_party where evidence_id = ${from}::uuid`.execute(tx);
}
