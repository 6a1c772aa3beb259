import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AppealState, decisionOutcomes } from '#contract/moderation/decisions.ts';
import * as calls from '#contract/moderation/transparency.ts';
import { newRule } from '../../../../test/moderation/automatic-rules.ts';
import { decisionAbout } from '../../../../test/moderation/decisions.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { type Random, randomOf } from '../../../../test/random.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { sealAudit } from '../audit/audit-seals.ts';
import { hashOf, publishLastYear } from './make.ts';
import { publishedFile } from './published.reads.ts';
import { noteSeals, verifyFile } from './verify.ts';

const year = 2025;
const app = startAppForTests();
let admin: TestMember;
let people: TestMember[];
let by: { id: string; name: string };

/** A moment of the year, or of the years before and after, such as their first and last one. */
const momentOf = (random: Random) =>
  random.pick([
    new Date(Date.UTC(year, random.below(12), 1 + random.below(28), 10)),
    new Date(Date.UTC(year, random.below(3), 2, 10)),
    new Date(Date.UTC(year, 0, 1)),
    new Date(Date.UTC(year + 1, 0, 1)),
    new Date(Date.UTC(year, 0, 1) - 1),
  ]);

/** Stores a decision with random values, and what belongs to it. */
async function storeDecision(random: Random, personId: string, n: number): Promise<void> {
  const outcome = random.pick(decisionOutcomes);
  const at = momentOf(random);
  const appeal = random.chance(0.6)
    ? random.pick<AppealState>(['overturned', 'upheld', 'upheld', 'submitted'])
    : undefined;
  const { decisionId } = await decisionAbout(app, personId, {
    by,
    at,
    outcome: random.chance(0.15) ? null : outcome,
    ...(outcome === 'actioned' && { clause: random.pick(['1', '1', '2', '5']) }),
    ...(appeal !== undefined && { appeal }),
    hours: (1 + n) / 64,
  });
  if (outcome !== 'actioned') return;
  if (random.chance(0.5))
    await app.sql`update case_decision set kind = 'interim', outcome = null
      where id = ${decisionId} and kind = 'full'`;
  await app.db
    .insertInto('sanction')
    .values({
      account_id: personId,
      decision_id: decisionId,
      kind: random.pick(['warn', 'warn', 'limit_messaging', 'ban'] as const),
      reason: 'Wrote to Casey Canary, casey@canary.test',
      created_by_name: by.name,
      starts_at: at,
      strikes: 1,
      strikes_until: at,
    })
    .execute();
}

/** Stores what an automatic rule did to people in the year. */
async function storeHits(random: Random, caseIds: string[], reportIds: string[]): Promise<void> {
  const ruleId = await newRule(app);
  for (const [n, person] of people.entries()) {
    const at = new Date(Date.UTC(year, 5, 1 + (n % 28)));
    const of = { account_id: person.id, case_id: caseIds[n] ?? '' };
    await app.db
      .insertInto('rule_hit')
      .values({ rule_id: ruleId, version: 1, ...of, report_id: reportIds[n] ?? '', tag_id: null, hit_at: at })
      .execute();
    await app.db
      .updateTable('rule_hit')
      .set({ judged_at: at, outcome: random.chance(0.5) ? 'cleared' : 'confirmed' })
      .where('account_id', '=', person.id)
      .execute();
    await app.db
      .insertInto('account_hold')
      .values({
        ...of,
        cause: 'critical_case',
        rule_id: null,
        since: at,
        ends_at: at,
        ended_at: at,
        outcome: 'released',
      })
      .execute();
  }
}

/** Stores everything else that is counted for a case, besides reports and decisions, at random moments. */
async function storeOthers(random: Random, caseId: string, n: number): Promise<void> {
  const at = () => momentOf(random);
  const closedAt = random.chance(0.5) ? at() : null;
  await app.sql`insert into outsider_notice (type, names_address, body, digest, queue_at, at, closed_at, closed_by_name)
    values (${random.pick(['minor', 'scam', 'scam'])}, false, 'Casey Canary wrote', ${Buffer.from([n])}, now(), ${at()}, ${closedAt},
      ${closedAt === null ? null : by.name})`;
  await app.sql`insert into case_event (case_id, at, kind, actor_role, to_value)
    values (${caseId}, ${at()}, 'emergency', 'system', ${random.pick(['minor', 'extortion'])})`;
  await app.sql`insert into referral (case_id, authority, handed_over, legal_basis, referred_on, made_at, made_by_name)
    values (${caseId}, 'Police', 'The case', 'Article 18', '2025-01-01', ${at()}, ${by.name})`;
  await app.sql`insert into legal_hold (case_id, reason, set_at, set_by_name, review_on, released_at, released_by_names)
    values (${caseId}, 'Casey Canary', ${at()}, ${by.name}, '2025-01-01', now(), array['One', 'Two'])`;
  await app.sql`insert into audit_event (at, actor_name, actor_role, action, target_type)
    values (${at()}, ${by.name}, ${random.pick(['system', 'moderator'])}, 'picture.rejected', 'account')`;
}

beforeAll(async () => {
  admin = await makeAdministrator(app);
  by = { id: (await makeModerator(app)).id, name: 'Zoe Quill' };
  people = await Promise.all(Array.from({ length: 25 }, () => makeMember(app)));
  const random = randomOf(49);
  for (let n = 0; n < 320; n += 1) await storeDecision(random, (people[n % people.length] as TestMember).id, n);
  const cases = await app.db.selectFrom('moderation_case').select(['id', 'person_id']).execute();
  const caseIds = people.map(({ id }) => cases.find(({ person_id }) => person_id === id)?.id ?? '');
  const reportIds: string[] = [];
  for (const [n, { id }] of people.entries()) {
    const at = new Date(Date.UTC(year, n % 12, 3));
    const { rows } = await sql<{ id: string }>`
      insert into report (reporter_id, reported_id, problem_type, description, first_priority, priority, created_at, updated_at, due_at, case_id)
      values (${admin.id}, ${id}, ${random.pick(['Harassment', 'Harassment', 'Other'])}, 'Casey Canary wrote', 'high', 'high',
        ${at}, ${at}, ${at}, ${caseIds[n] ?? ''}) returning id`.execute(app.db);
    reportIds.push(rows[0]?.id ?? '');
  }
  await storeHits(random, caseIds, reportIds);
  for (let n = 0; n < 50; n += 1) await storeOthers(random, caseIds[n % caseIds.length] ?? '', n);
  await app.sql`update appeal set submitted_at = answered_at - extract(month from answered_at) * interval '90 minutes'
    where answered_at is not null`;
  await app.call(calls.makeTransparencyReport, { token: admin.token });
  await app.drain('transparency.make');
});

const file = async (name: calls.TransparencyFile, of = year) =>
  (await app.app.inject(`/api/v1/transparency/${of}/${name}`)).rawPayload;
const published = async () => {
  const [first] = (await app.call(calls.listTransparency, {})).body.data.reports;
  if (first === undefined) throw new Error('No report');
  return first;
};
const statements = async () =>
  (await file('statements'))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as calls.Statement);
const figure = (report: calls.TransparencyReport, name: calls.TransparencyFigure) =>
  report.figures.find((one) => one.figure === name);

describe('a transparency report', () => {
  it.each<[calls.TransparencyFigure, string, string]>([
    ['notices.type', 'type', 'outsider_notice where at'],
    ['reports.source', 'source', 'report where created_at'],
    ['reports.type', 'problem_type', 'report where created_at'],
    ['decisions.outcome', 'outcome', `case_decision where kind = 'full' and decided_at`],
    [
      'decisions.rule',
      `coalesce(clause, 'none')`,
      `case_decision d left join community_rule r on r.id = rule_id where kind = 'full' and decided_at`,
    ],
    ['decisions.oneClick', `'resolved'`, `case_decision where kind = 'quick' and decided_at`],
    [
      'measures.kind',
      's.kind',
      `sanction s join case_decision d on d.id = decision_id where d.kind <> 'interim' and starts_at`,
    ],
    [
      'interim.rule',
      'clause',
      `case_decision d join community_rule r on r.id = rule_id where kind = 'interim' and decided_at`,
    ],
    [
      'interim.measures',
      's.kind',
      `sanction s join case_decision d on d.id = decision_id where d.kind = 'interim' and starts_at`,
    ],
    ['ruleHits.outcome', 'outcome', 'rule_hit where judged_at'],
    ['holds.cause', 'cause', 'account_hold where since'],
    [
      'pictures.refused',
      `case actor_role when 'system' then 'automated' else 'people' end`,
      `audit_event where action = 'picture.rejected' and at`,
    ],
    ['emergencies.kind', 'to_value', `case_event where kind = 'emergency' and at`],
    ['referrals.made', `'made'`, 'referral where made_at'],
    ['legalHolds.set', `'set'`, 'legal_hold where set_at'],
    ['appeals.party', 'party', 'appeal where submitted_at'],
    ['appeals.result', 'state', 'appeal where answered_at'],
  ])('counts %s like the rows, with groups of fewer than ten among the others', async (name, group, from) => {
    const { rows } = await sql<{ name: string; count: number }>`
      select ${sql.raw(group)} as name, count(*)::int as count from ${sql.raw(from)} >= '2025-01-01T00:00:00Z'
        and ${sql.raw(from.split(' ').at(-1) ?? '')} < '2026-01-01T00:00:00Z' group by 1`.execute(app.db);
    const total = rows.reduce((sum, { count }) => sum + count, 0);
    const counted = figure((await published()).report, name);
    expect(total).toBeGreaterThan(9);
    expect(counted?.total).toBe(total);
    for (const one of counted?.groups ?? []) expect(rows).toContainEqual(one);
    const shown = counted?.groups.reduce((sum, { count }) => sum + count, 0) ?? 0;
    expect(counted?.other).toBe(total - shown);
    for (const number of [counted?.other ?? 0, ...(counted?.groups ?? []).map(({ count }) => count)])
      expect(number === 0 || number >= 10).toBe(true);
  });

  it('hides numbers below ten, such as the number of staff', async () => {
    expect(figure((await published()).report, 'staff.role')).toEqual({
      figure: 'staff.role',
      total: null,
      groups: [],
      other: 0,
    });
  });

  it('contains the shares and times from the rows', async () => {
    const { report } = await published();
    const { rows } = await sql<{ errors: number; overturned: number; median: number; appeal: number }>`select
      (select round(100.0 * count(*) filter (where outcome = 'cleared') / count(*))::int from rule_hit) as errors,
      (select round(100.0 * count(*) filter (where state = 'overturned') / count(*))::int from appeal
        where answered_at >= '2025-01-01T00:00:00Z' and answered_at < '2026-01-01T00:00:00Z') as overturned,
      (select round(percentile_cont(0.5) within group (order by took_ms) / 60000)::int from case_time
        where at >= '2025-01-01T00:00:00Z' and at < '2026-01-01T00:00:00Z') as median,
      (select round(percentile_cont(0.5) within group (order by extract(epoch from answered_at - submitted_at)) / 60)::int
        from appeal where answered_at >= '2025-01-01T00:00:00Z' and answered_at < '2026-01-01T00:00:00Z') as appeal`.execute(
      app.db,
    );
    const percents = Object.fromEntries(report.shares.map(({ share, percent }) => [share, percent]));
    expect(percents).toEqual({
      ruleErrors: rows[0]?.errors,
      appealsOverturned: rows[0]?.overturned,
      secondLooksAgreed: null,
    });
    expect(report.times.find(({ what }) => what === 'decision')?.medianMinutes).toBe(rows[0]?.median);
    expect(rows[0]?.appeal).toBeGreaterThan(0);
    expect(report.times.find(({ what }) => what === 'appeal')?.medianMinutes).toBe(rows[0]?.appeal);
    expect(report.times[0]).toEqual({ what: 'response', cases: 0, medianMinutes: null, p90Minutes: null });
  });

  it('matches its JSON Schema, as do its statements', async () => {
    const schema = JSON.parse((await app.app.inject('/api/v1/transparency/schema')).payload) as {
      $defs: { statement: object };
    };
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('date-time', true);
    const fits = ajv.compile(schema);
    expect([fits(JSON.parse((await file('report')).toString('utf8'))), fits.errors]).toEqual([true, null]);
    expect(fits({ year })).toBe(false);
    const isStatement = ajv.compile(schema.$defs.statement);
    for (const line of await statements()) expect([isStatement(line), isStatement.errors]).toEqual([true, null]);
  });

  it('includes the reasons of each decision with measures, if at least ten are alike, without personal data', async () => {
    const lines = await statements();
    const { rows } = await sql<{ count: number }>`select count(distinct d.id)::int as count from case_decision d
      join sanction s on s.decision_id = d.id where d.kind <> 'quick'
      and decided_at >= '2025-01-01T00:00:00Z' and decided_at < '2026-01-01T00:00:00Z'`.execute(app.db);
    expect(lines).toHaveLength(rows[0]?.count ?? -1);
    expect((await published()).report.statements.lines).toBe(lines.length);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    const alike = Map.groupBy(lines, ({ id: _, ...said }) => JSON.stringify(said));
    for (const group of alike.values()) expect(group.length).toBeGreaterThanOrEqual(10);
    const texts = (await Promise.all(calls.transparencyFileNames.map((name) => file(name)))).join('\n');
    const { rows: ids } = await sql<{
      id: string;
    }>`select id::text from case_decision union all select id::text from account
      union all select id::text from report`.execute(app.db);
    for (const secret of ['Canary', 'canary.test', by.name, ...ids.map(({ id }) => id)])
      expect(texts).not.toContain(secret);
  });

  it('gets a new version when it is created again, which replaces the earlier one', async () => {
    const before = await file('report');
    await app.call(calls.makeTransparencyReport, { token: admin.token });
    await app.drain('transparency.make');
    expect((await published()).report).toMatchObject({ year, version: 2 });
    const now = () => app.clock.now();
    expect(await verifyFile(app.db, before, now)).toContain(`"report" of the report of ${year}, version 1, unchanged`);
  });

  it.each(calls.transparencyFileNames)(
    'returns 304 for a %s that the reader already has, and may be cached',
    async (name) => {
      const url = `/api/v1/transparency/${year}/${name}`;
      const { headers, rawPayload } = await app.app.inject(url);
      expect(headers).toMatchObject({ etag: `"${hashOf(rawPayload)}"`, 'cache-control': 'public, max-age=3600' });
      for (const tag of [headers.etag, `"x", W/${headers.etag}`]) {
        const again = await app.app.inject({ url, headers: { 'if-none-match': String(tag) } });
        expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
      }
      expect((await app.app.inject({ url, headers: { 'if-none-match': '"x"' } })).statusCode).toBe(200);
    },
  );

  it('sends long statements in parts, and reads the next one only when there is room', async () => {
    const { report } = await published();
    const body = (n: number) => `${String(n).padStart(9, '0')} ${'x'.repeat(262_133)}\n`;
    const parts = Array.from({ length: 40 }, (_, position) => body(position));
    await app.sql`insert into transparency_report (year, version, made_at, report, figures, statements_bytes)
      values (2020, 1, now(), ${JSON.stringify({ ...report, year: 2020 })}, '', 1)`;
    for (const [position, text] of parts.entries())
      await app.db.insertInto('transparency_part').values({ year: 2020, version: 1, position, body: text }).execute();
    const { parts: read } = await publishedFile(app.db, '2020', 'statements');
    const stream = Readable.from(read(), { objectMode: false, highWaterMark: 1 });
    stream.read(1);
    await once(stream, 'readable');
    expect(stream.readableLength).toBeLessThan(3 * 262_144);
    stream.destroy();
    expect((await file('statements', 2020)).toString('utf8')).toBe(parts.join(''));
    await app.db.deleteFrom('transparency_report').where('year', '=', 2020).execute();
  });

  it('is found only by its year', async () => {
    for (const wrong of ['2019', '0000', '20255', 'x'])
      expect([400, 404]).toContain((await app.app.inject(`/api/v1/transparency/${wrong}/report`)).statusCode);
  });
});

describe('npm run transparency:verify', () => {
  const verify = (bytes: Buffer) => verifyFile(app.db, bytes, () => app.clock.now());

  it('checks every file of a report, and the seal on the page', async () => {
    await sealAudit(app.db);
    await noteSeals(app.db);
    const { report, seal, files } = await published();
    expect(seal).not.toBeNull();
    for (const name of calls.transparencyFileNames) {
      const words = `the file "${name}" of the report of ${year}, version ${report.version}, unchanged`;
      expect(await verify(await file(name))).toBe(
        `This is ${words}.\nSealed in the audit trail: ${seal?.batch}:${seal?.hash}\n`,
      );
      expect(files.find((one) => one.file === name)?.bytes).toBe((await file(name)).length);
    }
  });

  it('fails for a changed figure', async () => {
    const text = (await file('report')).toString('utf8');
    const total = figure((await published()).report, 'decisions.outcome')?.total ?? 0;
    const changed = text.replace(`"total": ${total}`, `"total": ${total + 1}`);
    expect(changed).not.toBe(text);
    await expect(verify(Buffer.from(changed))).rejects.toThrow('something in it was changed');
  });

  it('fails if the figure was also changed in the database and the hash in the audit trail', async () => {
    await sealAudit(app.db);
    const text = (await file('figures')).toString('utf8');
    const changed = Buffer.from(text.replace('"decisions.rule","total","', '"decisions.rule","total","9'));
    expect(changed.length).toBeGreaterThan(Buffer.from(text).length);
    const update = (from: Buffer, to: Buffer) =>
      app.pool.query(`alter table audit_event disable trigger user;
        update audit_event set changes = replace(changes::text, '${hashOf(from)}', '${hashOf(to)}')::jsonb
          where action = 'transparency.made';
        alter table audit_event enable trigger user`);
    await update(Buffer.from(text), changed);
    await expect(verify(changed)).rejects.toThrow('does not match its seal');
    await update(changed, Buffer.from(text));
    expect(await verify(Buffer.from(text))).toContain('unchanged');
  });

  it('reports that the trail has expired after two years, and shows the stored seal', async () => {
    await sealAudit(app.db);
    await noteSeals(app.db);
    const { seal } = await published();
    const bytes = await file('report');
    const change = (statement: string) =>
      app.pool.query(`alter table audit_event disable trigger user; ${statement};
        alter table audit_event enable trigger user`);
    await change('create table kept_event as table audit_event; delete from audit_event');
    await noteSeals(app.db);
    expect((await published()).seal).toEqual(seal);
    await expect(verify(bytes)).rejects.toThrow('something in it was changed');
    const later = () => secondsAfter(app.clock.now(), 800 * 86_400);
    await expect(verifyFile(app.db, bytes, later)).rejects.toThrow(`The seal was ${seal?.batch}:${seal?.hash}`);
    await expect(verifyFile(app.db, Buffer.from('else'), later)).rejects.toThrow('something in it was changed');
    await change('insert into audit_event overriding system value table kept_event; drop table kept_event');
  });
});

describe('the yearly transparency job', () => {
  it('creates last year’s report once, and none for a year without reports', async () => {
    const count = async () => Number((await sql`select from transparency_report`.execute(app.db)).rows.length);
    const before = await count();
    await publishLastYear(app.db, new Date('2026-01-02T05:25:00Z'));
    expect(await count()).toBe(before);
    await app.db.deleteFrom('transparency_report').execute();
    await publishLastYear(app.db, new Date('2024-01-02T05:25:00Z'));
    expect(await count()).toBe(0);
    await publishLastYear(app.db, new Date('2026-01-02T05:25:00Z'));
    await publishLastYear(app.db, new Date('2026-01-03T05:25:00Z'));
    expect(await count()).toBe(1);
  });
});
