import { msg } from '@lingui/core/runtime-macro';
import type { Selectable } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { addHelpLine, changeHelpLine, HelpLine } from '#contract/moderation/help-lines.ts';
import { audit, given } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { StaffContext } from '../work/case-row.ts';

/** The help lines of all countries. */
export async function helpLines(db: Db): Promise<HelpLine[]> {
  const rows = await db
    .selectFrom('help_line')
    .selectAll()
    .orderBy('country')
    .orderBy('is_emergency', 'desc')
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(({ id: _id, is_emergency: isEmergency, ...line }) => ({ _id, isEmergency, ...line }));
}

const columnsOf = ({ isEmergency, ...line }: BodyOf<typeof addHelpLine>) => ({ ...line, is_emergency: isEmergency });

function refuseUnreachable({ phone, url }: Pick<HelpLine, 'phone' | 'url'>): void {
  if (phone === null && url === null) throw invalid('phone', msg`Give a phone number or an address`);
}

async function lock(tx: Db, id: string): Promise<Selectable<Database['help_line']>> {
  const row = await tx.selectFrom('help_line').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** Adds a help line. Throws 400 without a phone number and an address. */
export async function addLine(context: StaffContext, line: BodyOf<typeof addHelpLine>): Promise<HelpLine> {
  refuseUnreachable(line);
  const { id } = await context.tx
    .insertInto('help_line')
    .values(columnsOf(line))
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(context, { type: 'helpLine', id }, 'helpLine.added', { changes: given(line) });
  return { _id: id, ...line };
}

/** Changes a help line. Throws 404, and 400 without a phone number and an address. */
export async function changeLine(
  context: StaffContext,
  { id, ...line }: ParamsOf<typeof changeHelpLine> & BodyOf<typeof changeHelpLine>,
): Promise<void> {
  refuseUnreachable(line);
  const { id: _, ...before } = await lock(context.tx, id);
  await context.tx.updateTable('help_line').set(columnsOf(line)).where('id', '=', id).execute();
  await audit(context, { type: 'helpLine', id }, 'helpLine.changed', { changes: { line: { from: before, to: line } } });
}

/** Removes a help line. Throws 404. */
export async function removeLine(context: StaffContext, { id }: { id: string }): Promise<void> {
  const { name } = await lock(context.tx, id);
  await context.tx.deleteFrom('help_line').where('id', '=', id).execute();
  await audit(context, { type: 'helpLine', id }, 'helpLine.removed', { reason: name });
}
