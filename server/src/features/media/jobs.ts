import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type { Actor } from '../../platform/db/audit.ts';
import type { Deps } from '../../deps.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import { createPhotoModerator } from './check.ts';
import { decide } from './decision.ts';
import { forgetLooks } from './looks.ts';
import { forgetUnclaimed } from './upload.ts';

const automatic: Actor = { accountId: null, name: 'Picture check', role: 'system' };
const blockedReason = 'Our automatic check found something in this picture that is not allowed here.';
const sweepAtOnce = 200;

/** Background work of pictures: checking new ones and deleting unreferenced bytes. */
export function mediaTasks(deps: Deps): TaskList {
  const { db, clock, storage } = deps;
  const moderator = createPhotoModerator(deps.config.media.check, deps.log);

  async function check(pictureId: string): Promise<void> {
    if (deps.config.media.check === null) return;
    const picture = await db.selectFrom('picture').selectAll().where('id', '=', pictureId).executeTakeFirst();
    if (picture?.state !== 'pending') return;
    const bytes = await storage.get(`${picture.object_key}.large`);
    if (bytes === null) return;
    const { verdict, labels } = await moderator.check(bytes);
    if (verdict === 'review') return;
    const decision =
      verdict === 'allow'
        ? ({ verdict: 'approved', reason: labels.join(', ') } as const)
        : ({ verdict: 'rejected', reason: blockedReason } as const);
    await decide(db, automatic, picture.public_id, decision, clock.now());
  }

  async function sweep(): Promise<void> {
    for (;;) {
      const due = await db
        .selectFrom('media_discard')
        .select('object_key')
        .where('due_at', '<=', sql<Date>`now()`)
        .orderBy('due_at')
        .limit(sweepAtOnce)
        .execute();
      for (const { object_key: key } of due) {
        if (!(await isPointedAt(key))) {
          await Promise.all([storage.remove(`${key}.large`), storage.remove(`${key}.thumbnail`)]);
        }
        await db.deleteFrom('media_discard').where('object_key', '=', key).execute();
      }
      if (due.length < sweepAtOnce) return;
    }
  }

  async function isPointedAt(key: string): Promise<boolean> {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from picture where object_key = ${key} and state <> 'rejected')
        or exists (select from evidence_picture where object_key = ${key}) as found`.execute(db);
    return rows[0]?.found === true;
  }

  return {
    'media.check': async (payload) => {
      await check((payload as { pictureId: string }).pictureId);
    },
    'media.sweep': sweep,
    'media.forgetUnclaimed': async () => {
      await forgetUnclaimed(db, clock.now());
      await forgetLooks(db, clock.now());
      await storage.tidy();
    },
  };
}

export const mediaSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'media.sweep' },
  { cron: '37 * * * *', task: 'media.forgetUnclaimed' },
];
