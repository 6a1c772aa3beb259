import { newestSeal, sealAudit, verifyAudit } from '../../server/src/features/moderation/audit-seals.ts';
import { createDb } from '../../server/src/platform/db/db.ts';
import { createPool } from '../../server/src/platform/db/pool.ts';
import type { BenchData } from './data.ts';
import { heading, remark, reportAtMost } from './report.ts';

const events = 1_000_000;
/** Statements are limited to seconds. */
const eventsAtOnce = 20_000;

/** Seals a million audit events, checks them, and checks them again after one byte was changed. */
export async function benchAudit(data: BenchData): Promise<void> {
  heading('The audit trail, 1,000,000 events');
  const pool = createPool(await data.empty());
  const db = createDb(pool);
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const started = performance.now();
    return [await work(), (performance.now() - started) / 1000];
  };
  try {
    for (let from = 1; from < events; from += eventsAtOnce)
      await pool.query(
        `insert into audit_event (at, actor_id, actor_name, actor_role, action, target_type, target_id, reason, changes)
          select now() - (${events} - n) * interval '60 seconds', gen_random_uuid(), 'Olga Ivanova', 'admin', 'user.edited', 'user',
            gen_random_uuid(), 'Asked by its owner, number ' || n, '{"bio":{"from":"Hello","to":"Hello there"}}'
            from generate_series($1::int, $2::int) n`,
        [from, from + eventsAtOnce - 1],
      );
    const [, sealing] = await timed(() => sealAudit(db));
    remark('sealing', `${sealing.toFixed(1)} s`);
    const check = () => verifyAudit(db, () => new Date());
    const [intact, checking] = await timed(check);
    reportAtMost(`checking ${intact.events.toLocaleString('en')} events`, checking, 60, ' s');
    await pool.query(`alter table audit_event disable trigger user`);
    await pool.query(`update audit_event set reason = reason || '.' where id = ${events - 10}`);
    const { firstBad } = await check();
    const last = (await newestSeal(db))?.batch;
    reportAtMost('batches between a changed byte and the one named', Math.abs((firstBad?.batch ?? 0) - (last ?? 0)), 0);
  } finally {
    await pool.end();
  }
}
