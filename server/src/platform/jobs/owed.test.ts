import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TaskList } from 'graphile-worker';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { likeUser } from '#contract/connections.ts';
import { putKnownPeople } from '#contract/known-people.ts';
import { refundByLink } from '#contract/moderation/appeals.ts';
import { startBulk } from '#contract/moderation/bulk.ts';
import { decideCase } from '#contract/moderation/cases.ts';
import { markEmergency } from '#contract/moderation/emergencies.ts';
import { changeReportStatus } from '#contract/moderation/staff-reports.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { sayFirst, newRule } from '../../../test/moderation/automatic-rules.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { holdAccount } from '../../../test/moderation/holds.ts';
import { placeMatch } from '../../../test/likes.ts';
import { lockedToken, lockOut } from '../../../test/locked.ts';
import { placeMessage, placePhoto } from '../../../test/messages.ts';
import { sendOutsiderReport } from '../../../test/moderation/outsiders.ts';
import { buyPremium } from '../../../test/premium.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../test/moderation/reports.ts';
import { inTransaction } from '../db/db.ts';
import { createLog } from '../process/log.ts';
import { noteTrace } from '../../features/auth/public.ts';
import { endHold, lockHold } from '../../features/moderation/holds/hold.ts';
import { schedulesOf } from './job.ts';
import { drainJobs } from './jobs.ts';

let app: TestApp;
let staff: TestMember;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const isEmpty = async (query: RawBuilder<unknown>) => (await query.execute(app.db)).rows.length === 0;
const reportAbout = async (reportedUser: string) =>
  await fileReport(app, await makeMember(app), { problem_type: 'Other', reportedUser });

const facts = 'Asked four people for money after a week of messages.';
const ban = async (person: TestMember) => {
  const params = { id: await caseIdOf(app, (await reportAbout(person.id))._id) };
  const body = {
    outcome: 'actioned' as const,
    ruleId: await currentRuleId(app),
    facts,
    sanctions: [{ kind: 'ban' as const }],
  };
  await app.call(decideCase, { token: staff.token, params, body });
};

let addresses = 0;
const addressOf = (name: string) => `${name}${(addresses += 1)}@gmail.com`;
const isLinked = async ({ id }: TestMember) =>
  !(await isEmpty(sql`select from account_link where account_id = ${id}::uuid`));
const stillRenews = ({ id }: TestMember) =>
  isEmpty(sql`select from subscription where account_id = ${id}::uuid and cancel_at_period_end`);

/**
 * A promise, the job that keeps it (unless a job runs each minute), and a function that makes the promise and returns how to check whether
 * it was kept.
 */
const promises: [what: string, task: string | null, make: () => Promise<() => Promise<boolean>>][] = [
  [
    'the end of a renewal of someone locked out',
    'subscriptions.stopRenewing',
    async () => {
      const member = await makeMember(app);
      await buyPremium(app, member);
      const body = { isActive: false, reason: 'Asked for money' };
      await app.call(changeAdminUser, { token: staff.token, params: { id: member.id }, body });
      return async () => !(await stillRenews(member));
    },
  ],
  [
    'the end of a renewal of someone who leaves',
    'subscriptions.stopRenewing',
    async () => {
      const member = await makeMember(app);
      await buyPremium(app, member);
      await app.sql`update account set leaving_since = ${app.clock.now()} where id = ${member.id}::uuid`;
      return async () => !(await stillRenews(member));
    },
  ],
  [
    'a refund',
    'subscriptions.payRefund',
    async () => {
      const member = await makeMember(app);
      await buyPremium(app, member);
      await lockOut(app, member);
      await app.call(refundByLink, { body: { token: await lockedToken(app, member.email) } });
      return () => isEmpty(sql`select from premium_refund where paid_at is null`);
    },
  ],
  [
    'what a hold kept back',
    null,
    async () => {
      const [from, to] = [await makeMember(app), await makeMember(app)];
      await holdAccount(app, from);
      await app.call(likeUser, { token: from.token, params: { userId: to.id } });
      await inTransaction(app.db, async (tx) => {
        const hold = await lockHold(tx, from.id);
        if (hold !== undefined) await endHold(tx, hold, {}, app.clock.now());
      });
      return () => isEmpty(sql`select from decision where viewer_id = ${from.id}::uuid and kind = 'held'`);
    },
  ],
  [
    'the comparison with banned people',
    'bans.compare',
    async () => {
      const name = addressOf('compared');
      await ban(await makeMember(app, { email: name }));
      await app.drain('bans.search');
      const back = await makeMember(app, { email: name.replace('@', '+again@') });
      await inTransaction(app.db, (tx) => noteTrace(tx, back.id, app.clock.now()));
      return () => isLinked(back);
    },
  ],
  [
    'the search for a banned person',
    'bans.search',
    async () => {
      const name = addressOf('searched');
      const other = await makeMember(app, { email: name.replace('@', '+other@') });
      await ban(await makeMember(app, { email: name }));
      return () => isLinked(other);
    },
  ],
  [
    'an outsider report',
    'outsiders.file',
    async () => {
      const person = await makeMember(app);
      await sendOutsiderReport(app, {
        address: `http://localhost:3000/app/members/${person.id}`,
        email: addressOf('olga'),
      });
      return async () => !(await isEmpty(sql`select from report where reported_id = ${person.id}::uuid`));
    },
  ],
  [
    'the outcome of a report',
    'reports.notice',
    async () => {
      const reporter = await makeMember(app);
      const { _id: id } = await fileReport(app, reporter);
      await app.call(changeReportStatus, { token: staff.token, params: { id }, body: { status: 'resolved' } });
      return async () =>
        !(await isEmpty(sql`select from notification where account_id = ${reporter.id}::uuid and kind = 'report'`));
    },
  ],
  [
    'an act on many people',
    'users.bulk',
    async () => {
      const { id } = await makeMember(app);
      const body = { selection: { ids: [id] }, act: { kind: 'note' as const, text: 'Seen' }, reason: 'A campaign' };
      await app.call(startBulk, { token: staff.token, body });
      return async () => !(await isEmpty(sql`select from staff_note where account_id = ${id}::uuid`));
    },
  ],
  [
    'the check of a photo in a message',
    'messages.checkMedia',
    async () => {
      const [one, other] = [await makeMember(app), await makeMember(app)];
      const conversation = await placeMatch(app, one, other);
      await placeMessage(app, conversation, one);
      const id = await placePhoto(app, conversation, one);
      await app.sql`update message_media set check_due_since = ${app.clock.now()} where id = ${id}`;
      return () => isEmpty(sql`select from message_media where id = ${id} and check_due_since is not null`);
    },
  ],
  [
    'the page about an emergency',
    'emergencies.page',
    async () => {
      const params = { id: await caseIdOf(app, (await reportAbout((await makeMember(app)).id))._id) };
      const because = { ruleId: await currentRuleId(app), facts };
      await app.call(markEmergency, { token: staff.token, params, body: { kind: 'threat_to_life', ...because } });
      return () => isEmpty(sql`select from emergency where page_due_since is not null`);
    },
  ],
  [
    'to hide from someone one knows',
    'connections.hideFromKnowers',
    async () => {
      const [knower, known] = [await makeMember(app), await makeMember(app, { email: addressOf('known') })];
      await app.call(putKnownPeople, { token: knower.token, body: { addresses: [known.email] } });
      return async () => !(await isEmpty(sql`select from block where blocker_id = ${knower.id}::uuid`));
    },
  ],
  [
    'the evidence of a rule',
    'rules.copyProfile',
    async () => {
      const person = await makeMember(app);
      await newRule(app, {}, true);
      await sayFirst(app, person);
      return async () =>
        !(await isEmpty(sql`select from report_evidence e join report r on r.id = e.report_id
          where r.reported_id = ${person.id}::uuid`));
    },
  ],
];

const sweep = () => app.app.background.tasks['jobs.queueOwed']?.({}, undefined as never);

/** Hours in which every job fails until it has used up its tries. */
async function pass(hours: number): Promise<void> {
  const failing = Object.keys(app.app.background.tasks).map((task): [string, TaskList[string]] => [
    task,
    () => Promise.reject(new Error('the service is away')),
  ]);
  for (let hour = 0; hour < hours; hour += 1) {
    app.clock.advance(3600);
    await sweep();
    await app.sql`update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()`;
    await drainJobs(app.pool, Object.fromEntries(failing), createLog('silent'));
  }
}

/** The lines of `/metrics` about owed work, by task. */
async function owed(): Promise<Record<string, number>> {
  const { body } = await app.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  const lines = body.matchAll(/^owed_oldest_seconds\{task="(.+)"\} (\d+)/gm);
  return Object.fromEntries([...lines].map(([, task = '', seconds]) => [task, Number(seconds)]));
}

describe('work that was promised', () => {
  it.each([
    ['an hour', 1],
    ['a night', 12],
    ['a weekend', 62],
  ])('is kept while every service is down for %s, and done afterwards', async (_, hours) => {
    staff = await makeAdministrator(app);
    const made: [string, () => Promise<boolean>][] = [];
    for (const [what, , make] of promises) made.push([what, await make()]);
    await pass(hours);
    const since = Object.fromEntries(promises.flatMap(([, task]) => (task === null ? [] : [[task, hours * 3600]])));
    expect(await owed()).toMatchObject(since);
    app.clock.advance(3600);
    await sweep();
    await app.app.background.tasks['holds.release']?.({}, undefined as never);
    await app.drain();
    const kept = await Promise.all(made.map(async ([what, isKept]) => ((await isKept()) ? [] : [what])));
    expect(kept.flat()).toEqual([]);
    app.clock.advance(3600);
    await sweep();
    expect(await owed()).toEqual({});
  });

  it('is queued once, even if it is swept repeatedly', async () => {
    staff = await makeAdministrator(app);
    for (const [, , make] of promises) await make();
    app.clock.advance(3600);
    await Promise.all([sweep(), sweep()]);
    await pass(3);
    await Promise.all([sweep(), sweep()]);
    const tasks = promises.map(([, task]) => task);
    const twice = sql`select task_identifier from graphile_worker.jobs j
      join graphile_worker._private_jobs p on p.id = j.id where task_identifier = any (${tasks})
      group by task_identifier, p.payload::text having count(*) > 1`;
    expect((await twice.execute(app.db)).rows).toEqual([]);
  });
});

/** Our own sources that queue jobs, as text. */
function* sources(): Generator<string> {
  const root = resolve(import.meta.dirname, '../../..');
  for (const folder of ['src', 'sql'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/(?<!\.test)\.(ts|sql)$/.test(file)) yield readFileSync(join(root, folder, file), 'utf8');
}

describe('a queued job', () => {
  it('has a sweep, or a reason why losing it is harmless', () => {
    const { jobs } = app.app.background;
    const recoveries = Object.fromEntries(
      jobs.flatMap(({ name, sweep }) => (sweep === undefined ? [] : [[name, sweep]])),
    );
    const calls = [...sources()].flatMap((text) => [
      ...text.matchAll(/\b(?:addJob\(\s*(?:tx|db|deps\.db),|add_job\()\s*([^,]+),/g),
    ]);
    const names = calls.map(([, name = '']) => name).filter((name) => !/^(\$\{)?task\}?$/.test(name));
    expect(names.filter((name) => !/^'[\w.]+'$/.test(name))).toEqual([]);
    expect(Object.keys(recoveries).toSorted()).toEqual([...new Set(names.map((name) => name.slice(1, -1)))].toSorted());
    const sweeping = [
      ...schedulesOf(jobs).map(({ task }) => task),
      ...Object.keys(recoveries).filter((task) => 'owed' in (recoveries[task] ?? {})),
    ];
    const swept = Object.values(recoveries).flatMap((recovery) => ('sweptBy' in recovery ? [recovery.sweptBy] : []));
    expect(swept.filter((task) => !sweeping.includes(task))).toEqual([]);
  });
});
