import { describe, expect, it, afterEach, beforeEach, vi } from 'vitest';
import { parseCronItems } from 'graphile-worker';
import { sql } from 'kysely';
import { startAppForTests } from '../../../test/harness.ts';
import { untilLocked } from '../../../test/until-locked.ts';
import { deleteWhere } from './due-rows.ts';
import { jobsIn, schedulesOf } from './job.ts';
import { addJob, cronItemOf, drainJobs, startTicker } from './jobs.ts';
import { createLog } from '../process/log.ts';

const test = startAppForTests();

/** Runs due jobs with a task that only records its payloads. */
async function payloadsDone(): Promise<unknown[]> {
  const done: unknown[] = [];
  await drainJobs(test.pool, { note: (payload) => void done.push(payload) }, createLog('silent'));
  return done;
}

describe('a job', () => {
  it('exists exactly when its transaction commits', async () => {
    const undone = test.db.transaction().execute(async (tx) => {
      await addJob(tx, 'note', { n: 1 });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await test.db.transaction().execute((tx) => addJob(tx, 'note', { n: 2 }));
    expect(await payloadsDone()).toEqual([{ n: 2 }]);
    expect(await payloadsDone()).toEqual([]);
  });

  it('with a key exists once, with the newest payload', async () => {
    for (const n of [1, 2, 3]) await addJob(test.db, 'note', { n }, { jobKey: 'only-one' });
    expect(await payloadsDone()).toEqual([{ n: 3 }]);
  });

  it('is retried up to its limit after failures', async () => {
    await addJob(test.db, 'failTwice', {}, { maxAttempts: 2 });
    let tries = 0;
    const tasks = {
      failTwice: () => {
        tries += 1;
        throw new Error('no');
      },
    };
    for (let round = 0; round < 10; round += 1) {
      await drainJobs(test.pool, tasks, createLog('silent'));
      await test.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`;
    }
    expect(tries).toBe(2);
  });

  it('is recorded as failed before its run ends, even if the database is slow', async () => {
    await addJob(test.db, 'fail', {}, { jobKey: 'slow' });
    let released: Promise<unknown> | undefined;
    const tasks = {
      fail: async () => {
        const holder = await test.pool.connect();
        await holder.query('begin; select from graphile_worker._private_jobs for update');
        released = untilLocked(test.pool).then(async () => {
          await holder.query('commit');
          holder.release();
        });
        throw new Error('no');
      },
    };
    await drainJobs(test.pool, tasks, createLog('silent'));
    const { rows } = await test.pool.query(
      `select last_error, locked_at from graphile_worker._private_jobs where key = 'slow'`,
    );
    expect(rows).toEqual([{ last_error: expect.stringMatching(/no/), locked_at: null }]);
    await released;
  });
});

describe('the schedule', () => {
  it('lists only existing tasks as waiting for external services', () => {
    const outside = jobsIn(test.app.background.jobs, 'outside');
    expect(Object.keys(test.app.background.tasks)).toEqual(expect.arrayContaining(outside));
    expect(new Set(outside).size).toBe(outside.length);
  });

  it('lists only existing tasks, at valid times', () => {
    const { jobs, tasks } = test.app.background;
    const schedules = schedulesOf(jobs);
    expect(schedules.length).toBeGreaterThan(0);
    for (const { task, cron } of schedules) {
      expect(Object.keys(tasks)).toContain(task);
      expect(() => parseCronItems([{ task, match: cron, identifier: task }])).not.toThrow();
    }
  });

  it('makes up for every run missed during a stop, unless the next one comes within the hour', () => {
    const minuteMs = 60_000;
    const from = Date.parse('2026-01-02T00:00:00Z');
    for (const schedule of schedulesOf(test.app.background.jobs)) {
      const [item] = parseCronItems([cronItemOf(schedule)]);
      let [last, longest] = [from, 0];
      for (let at = from; at < from + 29 * 86_400_000; at += minuteMs) {
        const time = new Date(at);
        const digest = {
          min: time.getUTCMinutes(),
          hour: time.getUTCHours(),
          date: time.getUTCDate(),
          month: time.getUTCMonth() + 1,
          dow: time.getUTCDay(),
        };
        if (item?.match(digest) === true) [last, longest] = [at, Math.max(longest, at - last)];
      }
      const gapMs = longest < 3_600_000 ? 0 : longest;
      expect([schedule.task, (item?.options.backfillPeriod ?? 0) >= gapMs]).toEqual([schedule.task, true]);
    }
  });

  it.each([
    ['every minute', '* * * * *', 1],
    ['every five minutes', '*/5 * * * *', 1],
    ['every hour', '41 * * * *', 1],
    ['every night', '17 3 * * *', 3],
    ['every week', '11 6 * * 1', 3],
  ])('limits the attempts of a job due %s, and queues it at most once', (_, cron, maxAttempts) => {
    expect(cronItemOf({ cron, task: 'note' })).toMatchObject({ match: cron, options: { maxAttempts, jobKey: 'note' } });
  });
});

describe('startTicker', () => {
  const log = createLog('silent');
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('repeats after each pause, even after a failure', async () => {
    let runs = 0;
    const ticker = startTicker(
      'work',
      1000,
      async () => {
        runs += 1;
        if (runs === 2) throw new Error('once');
      },
      log,
    );
    await vi.advanceTimersByTimeAsync(4500);
    expect(runs).toBe(4);
    await ticker.stop();
  });

  it('never overlaps, and waits for the current run when stopped', async () => {
    let running = 0;
    let most = 0;
    let finish = () => undefined as void;
    const ticker = startTicker(
      'slow',
      1000,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        running -= 1;
      },
      log,
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(most).toBe(1);
    const stopped = ticker.stop();
    finish();
    await stopped;
    expect(running).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(running).toBe(0);
  });
});

describe('deleteWhere', () => {
  beforeEach(() => test.sql`truncate refused_address`);

  it('deletes every row that matches, however many there are, and no others', async () => {
    await test.sql`insert into refused_address (address_hash, refused_until)
      select int4send(n), '2026-01-01'::timestamptz + make_interval(days => n % 2) from generate_series(1, 9000) n`;
    await deleteWhere(test.db, 'refused_address', sql`refused_until <= '2026-01-01'`);
    const { rows } = await sql`select refused_until = '2026-01-02' as "isLater", count(*)::int from refused_address
      group by 1`.execute(test.db);
    expect(rows).toEqual([{ isLater: true, count: 4500 }]);
  });

  it('deletes in batches, skips rows that cannot be deleted, and reports those', async () => {
    await test.sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`;
    await test.sql`create trigger refuse before delete on refused_address for each row
      when (old.address_hash in (int4send(1), int4send(150))) execute function refuse()`;
    await test.sql`insert into refused_address (address_hash, refused_until)
      select int4send(n), '2026-01-01' from generate_series(1, 1000) n`;
    const deleting = deleteWhere(test.db, 'refused_address', sql`refused_until < now() or false`, 100);
    await expect(deleting).rejects.toThrow(/^2 failed.*refused by the test/);
    const { rows } = await sql`select address_hash from refused_address order by 1`.execute(test.db);
    expect(rows).toEqual([1, 150].map((n) => ({ address_hash: Buffer.from([0, 0, 0, n]) })));
    await test.sql`drop function refuse cascade`;
  });
});
