import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import type { DecisionTable } from '../tables.ts';

/** What one member decided about another. */
export type DecisionRow = Selectable<DecisionTable>;

/** What the viewer decided about the target, if anything. */
export async function decisionOf(db: Db, viewerId: string, targetId: string): Promise<DecisionRow | undefined> {
  return await db
    .selectFrom('decision')
    .selectAll()
    .where('viewer_id', '=', viewerId)
    .where('target_id', '=', targetId)
    .executeTakeFirst();
}

/** What two people decided about each other: `own` is the first about the second, `back` the other way round. */
export async function decisionsBetween(
  db: Db,
  one: string,
  other: string,
): Promise<{ own: DecisionRow | undefined; back: DecisionRow | undefined }> {
  const { rows } = await sql<DecisionRow>`/* prepared */
    select * from decision where viewer_id = ${one}::uuid and target_id = ${other}::uuid
    union all
    select * from decision where viewer_id = ${other}::uuid and target_id = ${one}::uuid`.execute(db);
  const by = (id: string) => rows.find(({ viewer_id }) => viewer_id === id);
  return { own: by(one), back: by(other) };
}

/** Records a decision in place of an earlier one. */
export async function putDecision(tx: Db, row: DecisionRow): Promise<void> {
  const { viewer_id: _, target_id: __, ...content } = row;
  await tx
    .insertInto('decision')
    .values(row)
    .onConflict((conflict) => conflict.columns(['viewer_id', 'target_id']).doUpdateSet(content))
    .execute();
}

/** Removes a decision; a like from the other person that it answered is pending again. */
export async function removeDecision(tx: Db, viewerId: string, targetId: string): Promise<void> {
  await tx.deleteFrom('decision').where('viewer_id', '=', viewerId).where('target_id', '=', targetId).execute();
  await setPending(tx, targetId, viewerId, true);
}

/** Marks a like as answered or not; changes nothing where there is no like. */
export async function setPending(tx: Db, viewerId: string, targetId: string, isPending: boolean): Promise<void> {
  await tx
    .updateTable('decision')
    .set({ is_pending: isPending })
    .where('viewer_id', '=', viewerId)
    .where('target_id', '=', targetId)
    .where('kind', '=', 'like')
    .execute();
}
