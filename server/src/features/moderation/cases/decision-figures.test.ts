import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DecisionFigures, decisionMonths, getDecisionFigures } from '#contract/moderation/decided-cases.ts';
import type { AppealState } from '#contract/moderation/decisions.ts';
import { answerAppeal, appealAgainst, decisionAbout } from '../../../../test/decisions.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { type Random, randomOf } from '../../../../test/random.ts';

const app = startAppForTests();

const figures = async (by: TestMember): Promise<DecisionFigures> =>
  (await app.call(getDecisionFigures, { token: by.token })).body.data;

describe('GET /admin/decision-figures', () => {
  let lead: TestMember;
  let moderator: TestMember;
  let newcomer: TestMember;

  /** A colleague who has a decision against them. */
  let party: TestMember;

  beforeAll(async () => {
    lead = await makeAdministrator(app);
    moderator = await makeModerator(app);
    newcomer = await makeModerator(app);
    party = await makeModerator(app);
    const appeals: (AppealState | undefined)[] = ['overturned', 'partly_overturned', 'upheld', 'withdrawn'];
    for (let n = 0; n < 24; n += 1) {
      const appeal = appeals[n];
      await decisionAbout(app, (await makeMember(app)).id, {
        by: n < 20 ? { id: moderator.id, name: 'Zoe Quill' } : { id: newcomer.id, name: 'Abe Nyman' },
        at: new Date(Date.UTC(2026, n < 12 ? 4 : 5, 2 + (n % 10), 10)),
        ...(n % 4 === 3 ? { outcome: 'no_violation' as const } : { clause: n % 2 === 0 ? '2' : '5' }),
        ...(appeal !== undefined && { appeal }),
        hours: n + 1,
      });
    }
    // Neither counts: one click, and a decision before the first month.
    const by = { id: moderator.id, name: 'Zoe Quill' };
    await decisionAbout(app, (await makeMember(app)).id, { by, at: new Date('2026-06-01T10:00:00Z'), outcome: null });
    await decisionAbout(app, (await makeMember(app)).id, { by, at: new Date('2025-06-30T23:59:59Z'), clause: '2' });
    await decisionAbout(app, party.id, { by, at: new Date('2026-06-03T10:00:00Z'), clause: '2' });
  });

  it('equals counting the rows', async () => {
    const { all, rules } = await figures(lead);
    const count = async (where: string) => {
      const { rows } = await sql<{ decided: number; appealed: number; overturned: number; average: number | null }>`
        select count(*)::int as decided, count(*) filter (where exists (select from appeal o where o.decision_id = d.id))::int as appealed,
          count(*) filter (where exists (select from appeal o where o.decision_id = d.id and o.state like '%overturned'))::int as overturned,
          round(avg(t.took_ms))::float as average
        from case_decision d left join community_rule r on r.id = d.rule_id left join case_time t on t.case_id = d.case_id
        where d.kind = 'full' and d.decided_at >= '2025-07-01T00:00:00Z' and ${sql.raw(where)}`.execute(app.db);
      const { decided = 0, appealed = 0, overturned = 0, average = null } = rows[0] ?? {};
      return decided < 10
        ? { decided, appealed: null, overturned: null, averageMs: null }
        : { decided, appealed, overturned, averageMs: average };
    };
    expect(all.total).toEqual(await count('true'));
    expect(all.total).toMatchObject({ decided: 25, appealed: 4, overturned: 2 });
    expect(all.months).toHaveLength(decisionMonths);
    for (const { month, ...counted } of all.months)
      expect(counted).toEqual(await count(`to_char(d.decided_at at time zone 'UTC', 'YYYY-MM') = '${month}'`));
    expect(rules.map(({ rule }) => rule?.clause)).toEqual(['2', '5', undefined]);
    expect(rules[0]?.rule?.title).toBe('Respect');
    for (const { rule, total, months } of rules) {
      const where = rule === null ? 'r.id is null' : `r.clause = '${rule.clause}'`;
      expect(total).toEqual(await count(where));
      expect(months.reduce((sum, { decided }) => sum + decided, 0)).toBe(total.decided);
    }
  });

  it('shows leads everyone in alphabetical order, without shares for fewer than ten decisions', async () => {
    expect((await figures(lead)).people).toEqual([
      {
        _id: newcomer.id,
        name: 'Abe Nyman',
        isOwn: false,
        decided: 4,
        appealed: null,
        overturned: null,
        averageMs: null,
      },
      {
        _id: moderator.id,
        name: 'Zoe Quill',
        isOwn: false,
        decided: 21,
        appealed: 4,
        overturned: 2,
        averageMs: 10.5 * 3_600_000,
      },
    ]);
  });

  it('shows others their own line only', async () => {
    expect((await figures(moderator)).people).toMatchObject([{ name: 'Zoe Quill', isOwn: true, decided: 21 }]);
    expect((await figures(newcomer)).people).toMatchObject([{ name: 'Abe Nyman', isOwn: true }]);
    expect((await figures(await makeModerator(app))).people).toEqual([]);
  });

  it('shows others no shares and times of a single colleague', async () => {
    // Two people have decided: what the newcomer subtracts is the moderator's, and the other way round.
    for (const viewer of [moderator, newcomer]) {
      const { all, rules } = await figures(viewer);
      expect(all.total).toMatchObject({ decided: 25, appealed: null, overturned: null, averageMs: null });
      for (const { months, total } of [all, ...rules])
        for (const figure of [total, ...months]) expect(figure.appealed).toBeNull();
    }
  });

  it('leaves out cases to which the viewer is a party', async () => {
    expect((await figures(party)).all.total.decided).toBe(24);
    expect((await figures(lead)).all.total.decided).toBe(25);
  });
});

describe('the counted decisions', () => {
  const firstDay = Date.parse('2026-04-10');
  const days = 45;
  const dayMs = 86_400_000;

  /** When the job counts the last of the days. */
  const end = new Date(firstDay + days * dayMs + 7 * 60_000);
  let lead: TestMember;
  let party: TestMember;
  let people: string[];
  let deciders: { id: string; name: string }[];

  beforeAll(async () => {
    // Everyone signs in when the figures are read.
    app.clock.set(end);
    lead = await makeAdministrator(app);
    party = await makeModerator(app, { staffRole: 'senior' });
    const colleague = await makeModerator(app);
    deciders = [
      { id: lead.id, name: 'Lea Dahl' },
      { id: colleague.id, name: 'Mo Ek' },
    ];
    const members = await Promise.all(Array.from({ length: 8 }, () => makeMember(app)));
    people = [party.id, ...members.map(({ id }) => id)];
    const random = randomOf(103);
    const open = { decided: [], appealed: [] };
    for (let day = firstDay; day < firstDay + days * dayMs; day += dayMs) {
      await liveThrough(random, day, open);
      if (random.chance(0.3)) await rollUp();
      app.clock.set(new Date(day + dayMs + 7 * 60_000));
      await rollUp();
    }
  });

  const rollUp = async () => {
    await app.app.background.tasks['insights.rollUp']?.({}, {} as never);
    await app.drain('insights.rollUp');
  };

  /** Some decisions of a day, appeals against earlier ones, and answers to such appeals. */
  async function liveThrough(random: Random, day: number, open: { decided: string[]; appealed: string[] }) {
    for (let event = 0; event < 8; event += 1) {
      const at = new Date(day + Math.floor(((event + random.next()) * dayMs) / 8));
      app.clock.set(at);
      const { decided, appealed } = open;
      const which = random.below(4);
      if (which < 2) {
        const clause = random.pick(['2', '5', '']);
        const { decisionId } = await decisionAbout(app, random.pick(people), {
          ...{ by: random.pick(deciders), at },
          ...(clause === '' ? { outcome: random.chance(0.5) ? 'no_violation' : null } : { clause }),
          ...(random.chance(0.8) && { hours: 1 + random.below(72) }),
        });
        decided.push(decisionId);
      } else if (which === 2 && decided.length > 0) {
        const [decisionId = ''] = decided.splice(random.below(decided.length), 1);
        await appealAgainst(app, { decisionId, state: 'submitted', at });
        appealed.push(decisionId);
      } else if (appealed.length > 0) {
        const [decisionId = ''] = appealed.splice(random.below(appealed.length), 1);
        await answerAppeal(app, { decisionId, state: random.pick(['overturned', 'partly_overturned', 'upheld']), at });
      }
    }
  }

  interface Row {
    month: string;
    clause: string | null;
    decider: string;
    isAppealed: boolean;
    isOverturned: boolean;
    took: number | null;
  }

  /** All decisions with reasons but those about one person, each as a row. */
  async function decisionsExcept(personId: string): Promise<Row[]> {
    const { rows } = await sql<Row>`
    select to_char(d.decided_at at time zone 'UTC', 'YYYY-MM') as month, r.clause, d.decided_by as decider,
      exists (select from appeal o where o.decision_id = d.id) as "isAppealed",
      exists (select from appeal o where o.decision_id = d.id and o.state like '%overturned') as "isOverturned",
      (select took_ms::float from case_time t where t.case_id = d.case_id and t.at = d.decided_at) as took
    from case_decision d join moderation_case c on c.id = d.case_id left join community_rule r on r.id = d.rule_id
    where d.kind = 'full' and c.person_id <> ${personId}::uuid`.execute(app.db);
    return rows;
  }

  function counted(rows: Row[]) {
    const decided = rows.length;
    if (decided < 10) return { decided, appealed: null, overturned: null, averageMs: null };
    const times = rows.flatMap(({ took }) => took ?? []);
    return {
      decided,
      appealed: rows.filter(({ isAppealed }) => isAppealed).length,
      overturned: rows.filter(({ isOverturned }) => isOverturned).length,
      averageMs: Math.round(times.reduce((sum, took) => sum + took, 0) / times.length),
    };
  }

  function expectEqual({ all, rules, people: lines }: DecisionFigures, rows: Row[]) {
    expect(all.total).toEqual(counted(rows));
    for (const { month, ...figure } of all.months)
      expect(figure, month).toEqual(counted(rows.filter((row) => row.month === month)));
    expect(rules.map(({ rule }) => rule?.clause ?? null)).toEqual(['2', '5', null]);
    for (const { rule, total, months } of rules) {
      const own = rows.filter(({ clause }) => clause === (rule?.clause ?? null));
      expect(total, rule?.clause).toEqual(counted(own));
      for (const { month, ...figure } of months)
        expect(figure, `${rule?.clause} ${month}`).toEqual(counted(own.filter((row) => row.month === month)));
    }
    for (const { _id, name: _1, isOwn: _2, ...figure } of lines)
      expect(figure).toEqual(counted(rows.filter(({ decider }) => decider === _id)));
  }

  const contents = () =>
    app.db.selectFrom('case_decision_day').selectAll().orderBy('day').orderBy('clause').orderBy('decided_by').execute();

  it('equal counting the rows, also after earlier decisions were appealed and taken back', async () => {
    const everyone = await decisionsExcept(lead.id);
    expect(everyone.filter(({ isOverturned }) => isOverturned).length).toBeGreaterThan(10);
    expectEqual(await figures(lead), everyone);
    expectEqual(await figures(party), await decisionsExcept(party.id));
    expect((await figures(lead)).people).toHaveLength(2);
  });

  it('are the same when days are counted again, and are completed by the decisions since the last count', async () => {
    const before = await contents();
    expect(before.length).toBeGreaterThan(days);
    await app.sql`update installation set value = jsonb_set(value, '{next}', '"2026-05-01"') where name = 'insights'`;
    await rollUp();
    expect(await contents()).toEqual(before);
    const by = { id: lead.id, name: 'Lea Dahl' };
    for (const person of people) await decisionAbout(app, person, { by, at: app.clock.now(), clause: '5' });
    expectEqual(await figures(lead), await decisionsExcept(lead.id));
    expectEqual(await figures(party), await decisionsExcept(party.id));
  });
});
