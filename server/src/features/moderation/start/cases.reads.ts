import { type RawBuilder, sql } from 'kysely';
import { dueSoonHours } from '#contract/moderation/case-list.ts';
import { startCountMost, type StartList, type StartRow, startRowsMax } from '#contract/moderation/start.ts';
import { may } from '#contract/roles.ts';
import { countRows } from '../../../platform/db/db.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { findCases, notParty, toCaseLine } from '../cases/list.reads.ts';
import { caseRow, type StartPart, type StartReader } from './rows.ts';

/** Until when something is due soon. */
export const soonAt = (now: Date) => secondsAfter(now, dueSoonHours * 3600);

interface Wanted {
  where: RawBuilder<unknown>;
  what: StartRow['what'];
  lists?: StartList[];
}

/** The first of the cases that match, and their number. Roles that see no cases have none. */
async function casesWhere({ db, viewer, now }: StartReader, { where, what, lists }: Wanted): Promise<StartPart> {
  if (!may(viewer.staffRole, 'cases.list')) return { rows: [], count: 0 };
  const all = sql`${where} and ${notParty(viewer)}`;
  const [found, count] = await Promise.all([
    findCases(db, all, startRowsMax),
    countRows(db, sql`moderation_case c where ${all}`, startCountMost),
  ]);
  return { rows: found.map((row) => caseRow(toCaseLine(row, viewer, now), what)), count, ...(lists && { lists }) };
}

const own = ({ viewer }: StartReader) => sql`${viewer.accountId}::uuid`;
const notHeld = (reader: StartReader) => sql`c.holder_id is distinct from ${own(reader)}`;

/** For those who take escalated cases, these wait for them, so that no other section has them. */
const notEscalated = ({ viewer }: StartReader) =>
  may(viewer.staffRole, 'cases.lead') ? sql`c.stage <> 'escalated'` : sql`true`;

/** The cases that the viewer holds. */
export const heldCases = (reader: StartReader) =>
  casesWhere(reader, {
    where: sql`c.stage <> 'decided' and c.holder_id = ${own(reader)}`,
    what: 'held',
    lists: ['myCases'],
  });

/** The cases that the viewer opened, that no one has decided and that no other section has. */
export const openedCases = (reader: StartReader) =>
  casesWhere(reader, {
    where: sql`c.stage <> 'decided' and ${notHeld(reader)} and ${notEscalated(reader)}
      and c.queue_at >= ${soonAt(reader.now)}::timestamptz and c.id = any (array(
        select r.case_id from report r where r.opened_by = ${own(reader)} and r.source = 'own_initiative'
          and r.status in ('pending', 'in_progress') and r.deleted_at is null order by r.created_at limit ${startCountMost}))`,
    what: 'opened',
  });

/** The cases of others, or of no one, that are overdue or due soon. */
export const lateCases = (reader: StartReader) =>
  casesWhere(reader, {
    where: sql`c.stage <> 'decided' and c.queue_at < ${soonAt(reader.now)}::timestamptz and ${notHeld(reader)}
      and ${notEscalated(reader)}`,
    what: 'lateCase',
    lists: ['overdueCases', 'dueSoonCases'],
  });

/** The cases that wait for someone of the viewer's rank. */
export async function escalatedCases(reader: StartReader): Promise<StartPart> {
  if (!may(reader.viewer.staffRole, 'cases.lead')) return { rows: [], count: 0 };
  return await casesWhere(reader, {
    where: sql`c.stage = 'escalated'`,
    what: 'escalated',
    lists: ['escalatedCases'],
  });
}
