import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { getFunnel, getRetention } from '#contract/insights/cohorts.ts';
import { getGrowth, getRevenueSeries, getSafetySeries, insightGrains } from '#contract/insights/series.ts';
import { getDecisionFigures } from '#contract/moderation/decided-cases.ts';
import { getStatistics } from '#contract/statistics.ts';
import { daysAfter, monthsAfterMonth } from '../../server/src/features/insights/days.ts';
import { dayOf } from '../../server/src/platform/process/clock.ts';
import { rollUpDay } from '../../server/src/features/insights/roll-up.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { call, mustCall } from '../../server/test/proofs/http.ts';
import { jobsDone, rowsOf } from '../product.ts';
import { asSuperuser, type BenchData } from './data.ts';
import { fillInsights, memberWrites } from './insight-rows.ts';
import { heading, quantile, remark, reportAtMost, reportTimes } from './report.ts';
import { administratorToken, serve } from './service.ts';

const most = { callMs: 150, rollUpSeconds: 60 };
const today = dayOf(new Date());
/** How far back the series go: nearly as many periods as one answer may contain. Each call starts on another day. */
const daysBack = { day: 90, week: 690, month: 700 };

/** Writes until `work` has ended, and prints the worst wait of each kind. */
async function besideWriter(db: pg.Pool, name: string, work: Promise<unknown>): Promise<void> {
  const run = { isOver: false };
  const ended = work.finally(() => (run.isOver = true));
  const times = new Map(Object.keys(memberWrites).map((kind) => [kind, [] as number[]]));
  while (!run.isOver)
    for (const [kind, statement] of Object.entries(memberWrites)) {
      const started = performance.now();
      await db.query(statement);
      times.get(kind)?.push(performance.now() - started);
      await pause(5);
    }
  await ended;
  for (const [kind, ms] of times)
    remark(
      `${kind} ${name}, of ${ms.length}`,
      `median ${quantile(ms, 0.5).toFixed(1)} ms, worst ${quantile(ms, 1).toFixed(0)} ms`,
    );
}

/** Measures the roll-up of the day with the most decisions, over the product's connections and their time limits. */
async function benchRollUp({ url, superuserUrl }: BenchData, db: pg.Pool): Promise<void> {
  const [busiest] = await rowsOf<{ day: string }>(
    db,
    `select to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD') as day from decision tablesample system (1)
     where decided_at between $1::date - 60 and $1::date group by 1 order by count(*) desc limit 1`,
    [today],
  );
  const day = busiest?.day ?? today;
  const pool = createPool(url);
  const moveTo = (next: string) =>
    rowsOf<{ value: Parameters<typeof rollUpDay>[2] }>(
      db,
      `update installation set value = jsonb_set(value, '{next}', to_jsonb($1::text)) where name = 'insights' returning value`,
      [next],
    );
  try {
    await besideWriter(db, 'alone', pause(10_000));
    const [position] = await moveTo(day);
    if (position === undefined) throw new Error('nothing has been counted');
    const started = performance.now();
    let seconds = 0;
    const rolled = rollUpDay(createDb(pool), day, position.value, new Date()).finally(() => {
      seconds = (performance.now() - started) / 1000;
    });
    await besideWriter(db, 'beside the roll-up', rolled);
    if (!(await rolled)) throw new Error('another process counted meanwhile');
    reportAtMost(`roll-up of ${day}`, seconds, most.rollUpSeconds, ' s');
  } finally {
    await moveTo(today);
    await pool.end();
    await asSuperuser(superuserUrl, (client) => client.query(`delete from account where email like '%@bench.test'`));
  }
}

/** Measures figures over time as staff wait for them, and the roll-up of one day while members write. */
export async function benchInsights(data: BenchData): Promise<void> {
  heading('Figures over time: p99 of 100 calls, one after another');
  await fillInsights(data.superuserUrl);
  const service = await serve(data.url);
  const { origin, db } = service;
  try {
    await jobsDone(db);
    const token = await administratorToken(service);
    const range = { from: today, to: today, by: 'day', compare: 'lastYear' } as const;
    const [country = ''] = (await mustCall(origin, getGrowth, { token, query: range })).data.countries;
    const groups = {
      everyone: {},
      women: { gender: 'woman' },
      'women of a country': { gender: 'woman', country },
    } as const;
    for (const by of insightGrains)
      for (const [name, group] of Object.entries(groups))
        await reportTimes(`series by ${by}, ${name}`, most.callMs, (at) => {
          const from = daysAfter(today, -daysBack[by] - (at % 9));
          return call(origin, getGrowth, { token, query: { ...range, ...group, by, from } });
        });
    const weekly = (at: number) =>
      ({ ...range, by: 'week', from: daysAfter(today, -daysBack.week - (at % 9)) }) as const;
    await reportTimes('revenue by week', most.callMs, (at) =>
      call(origin, getRevenueSeries, { token, query: weekly(at) }),
    );
    await reportTimes('safety by week', most.callMs, (at) =>
      call(origin, getSafetySeries, { token, query: weekly(at) }),
    );
    const month = (at: number) => monthsAfterMonth(today, -(at % 24)).slice(0, 7);
    await reportTimes('funnel', most.callMs, (at) => call(origin, getFunnel, { token, query: { month: month(at) } }));
    await reportTimes('retention', most.callMs, () => call(origin, getRetention, { token }));
    await reportTimes('decision figures', most.callMs, () => call(origin, getDecisionFigures, { token }));
    await reportTimes('dashboard', most.callMs, () => call(origin, getStatistics, { token }));
    await benchRollUp(data, db);
  } finally {
    await service.stop();
  }
}
