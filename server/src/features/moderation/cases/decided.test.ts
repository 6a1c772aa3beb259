import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { QueryInput } from '#contract/endpoint.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { decisionAbout } from '../../../../test/moderation/decisions.ts';
import { formulaCells, separators } from '../../../../test/csv-cells.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { type DecidedPlace, type DecidedSearch, searchDecided } from './decided.reads.ts';

type Query = QueryInput<typeof listCases>;

const app = startAppForTests();
let lead: TestMember;
let moderator: TestMember;
const mo = () => ({ id: moderator.id, name: 'Mo Ek' });
const lea = () => ({ id: lead.id, name: 'Lea Dahl' });
const on = (day: string, time = '10:00:00') => new Date(`${day}T${time}.000Z`);

/** The names of the people by their case, and the people by their name. */
const names = new Map<string, string>();
const people = new Map<string, TestMember>();
async function decided(name: string, options: Parameters<typeof decisionAbout>[2]): Promise<void> {
  const person = people.get(name) ?? (await makeMember(app, { firstName: name }));
  people.set(name, person);
  const { caseId } = await decisionAbout(app, person.id, options);
  names.set(caseId, name);
}

beforeAll(async () => {
  lead = await makeAdministrator(app, { firstName: 'Lea', lastName: 'Dahl' });
  moderator = await makeModerator(app, { firstName: 'Mo', lastName: 'Ek' });
  await decided('insults', { by: mo(), at: on('2026-03-01'), clause: '2', hours: 3 });
  await decided('scam', { by: lea(), at: on('2026-04-30', '23:59:59'), clause: '5', appeal: 'upheld' });
  await decided('innocent', { by: mo(), at: on('2026-05-01', '00:00:00'), outcome: 'no_violation' });
  await decided('overturned', { by: mo(), at: on('2026-05-02'), clause: '2', appeal: 'overturned' });
  await decided('partly', { by: lea(), at: on('2026-05-03'), clause: '2', appeal: 'partly_overturned' });
  await decided('police', { by: lea(), at: on('2026-05-04'), clause: '3', source: 'authority' });
  await decided('click', { by: mo(), at: on('2026-05-05'), outcome: null });
  await decided('undone', { by: mo(), at: on('2026-05-06'), outcome: null, undone: true });
  await decided('waiting', { by: mo(), at: on('2026-05-07'), clause: '5', appeal: 'submitted' });
  // Two decisions in one case, of which the newer one has another rule, and the case was opened again.
  await decided('twice', { by: mo(), at: on('2026-02-01'), clause: '2', source: 'own_initiative' });
  await decided('twice', { by: lea(), at: on('2026-05-08'), clause: '6' });
  const reporter = await makeMember(app);
  await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: people.get('twice')?.id ?? '' });
});

const ask = (query: Query, by = moderator) =>
  app.call(listCases, { token: by.token, query: { view: 'decided', limit: '100', ...query } });
/** The people whose cases a search finds, in order. */
const found = async (query: Query, by = moderator) =>
  (await ask(query, by)).body.data.cases.map(({ _id }) => names.get(_id) ?? _id);

describe('GET /admin/cases for closed cases', () => {
  it.each<[string, () => Query, string[]]>([
    ['person', () => ({ person: people.get('scam')?.id ?? '' }), ['scam']],
    ['rule', () => ({ rule: '2' }), ['partly', 'overturned', 'insults', 'twice']],
    ['outcome', () => ({ outcome: 'no_violation' }), ['innocent']],
    ['one click', () => ({ outcome: 'quick' }), ['click']],
    ['decider', () => ({ decider: lead.id }), ['twice', 'police', 'partly', 'scam']],
    ['first day', () => ({ decidedFrom: '2026-05-07' }), ['twice', 'waiting']],
    ['last day', () => ({ decidedTo: '2026-03-01' }), ['insults', 'twice']],
    ['days in UTC', () => ({ decidedFrom: '2026-04-30', decidedTo: '2026-04-30' }), ['scam']],
    ['source', () => ({ source: 'authority' }), ['police']],
    ['own initiative', () => ({ source: 'own_initiative' }), ['twice']],
    ['appealed', () => ({ appealed: 'true' }), ['waiting', 'partly', 'overturned', 'scam']],
    ['not appealed', () => ({ appealed: 'false', decidedFrom: '2026-05-03' }), ['twice', 'click', 'police']],
    ['overturned', () => ({ overturned: 'true' }), ['partly', 'overturned']],
    ['appealed in vain', () => ({ appealed: 'true', overturned: 'false' }), ['waiting', 'scam']],
    ['rule and decider', () => ({ rule: '2', decider: moderator.id }), ['overturned', 'insults', 'twice']],
    [
      'rule, days and appeal',
      () => ({ rule: '2', decidedFrom: '2026-05-01', overturned: 'true' }),
      ['partly', 'overturned'],
    ],
    ['person and rule', () => ({ person: people.get('twice')?.id ?? '', rule: '2' }), ['twice']],
    ['open appeals', () => ({ view: 'appealed', decider: moderator.id }), ['waiting']],
    ['none', () => ({ person: people.get('scam')?.id ?? '', rule: '2' }), []],
    ['no such person', () => ({ person: 'nonsense' }), []],
    ['no such decider', () => ({ decider: 'nonsense' }), []],
  ])('finds them by %s', async (_, query, expected) => {
    expect(await found(query())).toEqual(expected);
  });

  it('shows the newest matching decision with its rule, even after the case was reopened', async () => {
    const { cases } = (await ask({ rule: '2', decidedTo: '2026-02-28' })).body.data;
    expect(cases).toMatchObject([
      {
        stage: 'open',
        decision: {
          at: '2026-02-01T10:00:00.000Z',
          outcome: 'actioned',
          rule: { clause: '2', version: 1, title: 'Respect' },
          source: 'own_initiative',
          by: { _id: moderator.id, name: 'Mo Ek' },
          sanctions: [],
          appeal: null,
        },
      },
    ]);
  });

  it('lists all closed cases without filters, with their newest decision if they have one', async () => {
    const { cases } = (await ask({})).body.data;
    const decisionOf = (name: string) => cases.find(({ _id }) => names.get(_id) === name)?.decision;
    expect(cases.map(({ _id }) => names.get(_id))).toContain('undone');
    expect(cases.map(({ _id }) => names.get(_id))).not.toContain('twice');
    expect(decisionOf('scam')).toMatchObject({ rule: { clause: '5' }, appeal: 'upheld' });
    expect(decisionOf('click')).toMatchObject({ outcome: null, rule: null });
    expect(decisionOf('undone')).toBeNull();
    const open = (await ask({ view: 'open' })).body.data.cases;
    expect(open.map(({ decision }) => decision)).toEqual([undefined]);
  });

  it('continues after each page without repeating or skipping a case', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Query = { decidedFrom: '2026-03-01', limit: '2', ...(cursor !== null && { cursor }) };
      const { data } = (await ask(query)).body;
      seen.push(...data.cases.map(({ _id }) => names.get(_id) ?? _id));
      cursor = data.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(await found({ decidedFrom: '2026-03-01' }));
    expect(seen).toHaveLength(9);
  });

  it('continues a search that read many decisions and found too few', async () => {
    const seen: string[] = [];
    let after: DecidedPlace | null = null;
    let pages = 0;
    do {
      const search: DecidedSearch = {
        filters: { overturned: true },
        isAppealed: false,
        after,
        limit: 25,
        scannedMost: 3,
      };
      const { found, next }: Awaited<ReturnType<typeof searchDecided>> = await searchDecided(
        app.db,
        { accountId: moderator.id },
        search,
      );
      expect(found.length).toBeLessThanOrEqual(3);
      seen.push(...found.map(({ case_id }) => names.get(case_id) ?? case_id));
      after = next;
      pages += 1;
    } while (after !== null);
    expect(seen).toEqual(['partly', 'overturned']);
    expect(pages).toBeGreaterThan(3);
  });

  it('hides cases from people who are a party', async () => {
    const party = await makeModerator(app, { firstName: 'Pia' });
    await decisionAbout(app, party.id, { by: lea(), at: on('2026-05-09'), clause: '7' });
    expect(await found({ rule: '7' }, party)).toEqual([]);
    expect(await found({ person: party.id }, party)).toEqual([]);
    expect(await found({ rule: '7' })).toHaveLength(1);
    await app.db.deleteFrom('moderation_case').where('person_id', '=', party.id).execute();
  });

  it.each<[string, Query, string | null]>([
    ['starts after its end', { decidedFrom: '2026-05-02', decidedTo: '2026-05-01' }, 'decidedTo'],
    ['starts in the future', { decidedFrom: '2026-06-17' }, 'decidedFrom'],
    ['starts on a day that does not exist', { decidedFrom: '2026-02-30' }, 'decidedFrom'],
    ['starts on a day that has begun in some time zones', { decidedFrom: '2026-06-16' }, null],
    ['ends in the future', { decidedTo: '9999-12-31' }, null],
    ['is before the service existed', { decidedFrom: '0001-01-01', decidedTo: '0001-12-31' }, null],
    ['is thousands of years long', { decidedFrom: '0001-01-01', decidedTo: '9999-12-31' }, null],
  ])('refuses or accepts a range that %s', async (_, query, field) => {
    const answer = await ask(query);
    const { status } = answer;
    expect(status).toBe(field === null ? 200 : 400);
    if (field !== null) expect(answer.error).toMatchObject({ code: 'INVALID_INPUT', errors: [{ field }] });
    const url = `/api/v1/admin/cases/export?${new URLSearchParams({ reason: 'Checked', ...(query as Record<string, string>) }).toString()}`;
    const exported = await app.app.inject({ url, headers: { authorization: `Bearer ${lead.token}` } });
    expect(exported.statusCode).toBe(status);
  });

  it.each<[string, () => Query]>([
    ['appealed', () => ({ decider: lead.id, appealed: 'false' })],
    ['overturned', () => ({ decider: lead.id.toUpperCase(), overturned: 'true' })],
    ['waiting appeals', () => ({ view: 'appealed', decider: lead.id })],
  ])('refuses to search a colleague’s decisions by %s, except to leads', async (_, query) => {
    expect((await ask(query())).status).toBe(403);
    const colleague = await makeAdministrator(app);
    expect((await ask(query(), colleague)).status).toBe(200);
    expect((await ask({ ...query(), decider: moderator.id })).status).toBe(200);
  });

  it('rejects filters for open cases here, and these filters for open cases', async () => {
    const refused: Query[] = [
      { priority: 'high' },
      { view: 'open', rule: '2' },
      { outcome: 'guilty' as 'actioned' },
      { appealed: 'maybe' as 'true' },
      { rule: '2', cursor: 'nonsense' },
    ];
    for (const query of refused) expect((await ask(query)).status).toBe(400);
  });

  it('reads only a range of an index for each filter, in every combination', async () => {
    const plans = await app.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const by = (where: string) =>
        sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(`select id from case_decision where ${where}
          order by decided_at desc, id desc limit 10`)}`.execute(tx);
      return [await by('true'), await by(`decided_by = '${lead.id}'`), await by(`rule_id = '${lead.id}'`)];
    });
    const text = plans.map(({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'));
    expect(text[0]).toContain('case_decision_time');
    expect(text[1]).toContain('case_decision_decider_time');
    expect(text[2]).toContain('case_decision_rule_time');
    for (const plan of text) expect(plan).not.toContain('Sort');
  });
});

describe('GET /admin/cases/export', () => {
  const download = (query: Record<string, string>, by = lead) =>
    app.app.inject({
      url: `/api/v1/admin/cases/export?${new URLSearchParams({ reason: 'For the yearly report', ...query }).toString()}`,
      headers: { authorization: `Bearer ${by.token}` },
    });

  it('sends the cases that the search finds, without names and without formulas', async () => {
    await decided('formula', {
      by: lea(),
      at: on('2026-01-02'),
      clause: '8',
      facts: '=cmd|calc;+1 wrote this again and again.',
    });
    const { body, headers, statusCode } = await download({ decidedTo: '2026-03-01' });
    expect(statusCode).toBe(200);
    expect(headers['content-disposition']).toBe('attachment; filename="heartwood-cases-2026-06-15.csv"');
    const [title, ...lines] = body.trim().split('\r\n');
    expect(title).toContain('"Case ID"');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(
      `"${people.get('insults')?.id}","2026-03-01 10:00:00","actioned","2","1","notice","Mo Ek",,"No","No","3.0","Wrote`,
    );
    for (const separator of separators) expect(formulaCells(body, separator)).toEqual([]);
    expect(body).not.toContain('insults"');
    await app.db
      .deleteFrom('moderation_case')
      .where('person_id', '=', people.get('formula')?.id ?? '')
      .execute();
  });

  it('is audited with its reason, its filters and its content', async () => {
    await download({ overturned: 'true' });
    const { events } = (await app.call(listAudit, { token: lead.token, query: { actorId: lead.id, limit: '20' } })).body
      .data;
    const [end, start] = events.filter(({ action }) => action.startsWith('cases.'));
    expect(start).toMatchObject({
      action: 'cases.exported',
      reason: 'For the yearly report',
      changes: { filters: { to: { overturned: true } } },
    });
    expect(end).toMatchObject({ action: 'cases.downloaded', changes: { rows: { to: 2 } } });
  });

  it('requires a reason and a role that leads the team', async () => {
    expect((await download({ reason: '' })).statusCode).toBe(400);
    expect((await download({}, moderator)).statusCode).toBe(403);
  });
});
