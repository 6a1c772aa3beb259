import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { secondLookDays, secondLookPercent } from '#contract/moderation/second-looks.ts';
import type { Db } from '#platform/db/db.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { secondsAfter } from '#platform/process/clock.ts';

/** Numbers of two bytes below this limit are drawn. */
const drawnBelow = Math.round((secondLookPercent / 100) * 65_536);

/**
 * Draws a share of the new decisions with reasons. A digest with a secret key decides, so that the result is the same in each run and no
 * one who decides can predict it. It is computed here, because the database may log the values of a slow statement.
 */
export async function drawDecisions(db: Db, key: string, now: Date): Promise<void> {
  const isDrawn = ({ id }: { id: string }) =>
    createHmac('sha256', key).update(`second look ${id}`).digest().readUInt16BE() < drawnBelow;
  const { rows } = await sql<{ id: string }>`
    select d.id from case_decision d where d.kind = 'full' and d.decided_at < ${now}::timestamptz
      and d.decided_at >= ${secondsAfter(now, -secondLookDays * 86_400)}::timestamptz`.execute(db);
  await sql`
    insert into second_look (decision_id, drawn_at)
    select id, ${now}::timestamptz from case_decision where id = any (${rows.filter(isDrawn).map(({ id }) => id)}::uuid[])
    on conflict (decision_id) do nothing`.execute(db);
}

/** The background work of second looks: drawing decisions, and dropping those without a review. */
export const drawJob = forgetJob('secondLooks.draw', '41 * * * *', ({ db, clock, banKey }) =>
  drawDecisions(db, banKey, clock.now()),
);
