import type { Selectable } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  type addHelpLine,
  type changeHelpLine,
  type EditedHelpLine,
  type HelpLine,
  helpLinesMax,
} from '#contract/moderation/help-lines.ts';
import { actorOf, type AuditEntry, given as givenChanges, writeAudit } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, invalid, notFound } from '../../../platform/http/app-error.ts';
import type { StaffContext } from '../cases/case-row.ts';

type Line = Selectable<Database['help_line']>;

const publicLine = ({ country, name, phone, url, note }: Line): HelpLine => ({ country, name, phone, url, note });

const toView = (row: Line): EditedHelpLine => ({
  ...publicLine(row),
  _id: row.id,
  version: row.version,
  changedAt: row.changed_at.toISOString(),
  changedBy: row.changed_by_name,
});

const linesOf = (db: Db) =>
  db.selectFrom('help_line').selectAll().orderBy('country').orderBy('name').orderBy('id').execute();

/** The help lines as everyone sees them. */
export const helpLines = async (db: Db): Promise<HelpLine[]> => (await linesOf(db)).map(publicLine);

/** The help lines for those who edit them. */
export const editedHelpLines = async (db: Db): Promise<EditedHelpLine[]> => (await linesOf(db)).map(toView);

const record = (
  { tx, caller, now }: StaffContext,
  id: string,
  entry: Pick<AuditEntry, 'action' | 'changes' | 'reason'>,
) => writeAudit(tx, { actor: actorOf(caller), target: { type: 'helpLine', id }, ...entry }, now);

function refuseUnreachable({ phone, url }: Pick<HelpLine, 'phone' | 'url'>): void {
  if (phone === null && url === null) throw invalid('phone', 'Give a phone number or an address');
}

async function lock(tx: Db, id: string): Promise<Line> {
  const row = isUuid(id)
    ? await tx.selectFrom('help_line').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined;
  if (row === undefined) throw notFound();
  return row;
}

/** Adds a help line. Throws 400 without a phone number and an address, and 409 once there are as many as fit. */
export async function addLine(context: StaffContext, line: BodyOf<typeof addHelpLine>): Promise<EditedHelpLine> {
  const { tx, caller, now } = context;
  refuseUnreachable(line);
  if ((await linesOf(tx)).length >= helpLinesMax)
    throw new AppError('CONFLICT', `${helpLinesMax} help lines are enough`);
  const row = await tx
    .insertInto('help_line')
    .values({ ...line, changed_at: now, changed_by_name: actorOf(caller).name })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(context, row.id, { action: 'helpLine.added', changes: givenChanges(line) });
  return toView(row);
}

/** Changes a help line. Throws 404, 400 without a phone number and an address, and 409 after a colleague's change. */
export async function changeLine(
  context: StaffContext,
  { id, version, ...line }: ParamsOf<typeof changeHelpLine> & BodyOf<typeof changeHelpLine>,
): Promise<EditedHelpLine> {
  const { tx, caller, now } = context;
  refuseUnreachable(line);
  const before = await lock(tx, id);
  if (before.version !== version) throw new AppError('CONFLICT', 'A colleague has just changed this line');
  const row = await tx
    .updateTable('help_line')
    .set({ ...line, version: version + 1, changed_at: now, changed_by_name: actorOf(caller).name })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const changes = { line: { from: publicLine(before), to: publicLine(row) } };
  await record(context, id, { action: 'helpLine.changed', changes });
  return toView(row);
}

/** Removes a help line. Throws 404. */
export async function removeLine(context: StaffContext, { id }: { id: string }): Promise<void> {
  const { name } = await lock(context.tx, id);
  await context.tx.deleteFrom('help_line').where('id', '=', id).execute();
  await record(context, id, { action: 'helpLine.removed', reason: name });
}
