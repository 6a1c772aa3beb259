import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decisionMonths, type DecisionFigures, getDecisionFigures } from '#contract/moderation/decided-cases.ts';
import { answerAppeal, appealAgainst, decisionAbout } from '../../../../test/moderation/decisions.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { type Random, randomOf } from '../../../../test/random.ts';

const firstDay = Date.parse('2026-04-10');
const days = 45;
const dayMs = 86_400_000;
/** The time at which the job counts the last of the days. */
const end = new Date(firstDay + days * dayMs + 7 * 60_000);

const app = startAppForTests();
let lead: TestMember;
let party: TestMember;
let people: string[];
let deciders: { id: string; name: string }[];
beforeAll(async () => {
  // Sign-ins happen when the figures are read, because sessions expire earlier.
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

/** Some decisions of a day, appeals against earlier ones, and the outcomes of such appeals. */
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

/** All decisions with reasons except those about one person, one row each. */
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

const figures = async (by: TestMember): Promise<DecisionFigures> =>
  (await app.call(getDecisionFigures, { token: by.token })).body.data;

function expectEqual({ all, rules, people: lines }: DecisionFigures, rows: Row[]) {
  expect(all.total).toEqual(counted(rows));
  expect(all.months).toHaveLength(decisionMonths);
  for (const { month, ...figure } of all.months)
    expect(figure, month).toEqual(counted(rows.filter((row) => row.month === month)));
  expect(rules.map(({ rule }) => rule?.clause ?? null)).toEqual(['2', '5', null]);
  expect(rules[0]?.rule?.title).toBe('Respect');
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

describe('the counted decisions', () => {
  it('equal the numbers in the rows, even after appeals reversed earlier decisions', async () => {
    const everyone = await decisionsExcept(lead.id);
    expect(everyone.filter(({ isOverturned }) => isOverturned).length).toBeGreaterThan(10);
    expectEqual(await figures(lead), everyone);
    expectEqual(await figures(party), await decisionsExcept(party.id));
    expect((await figures(lead)).people).toHaveLength(2);
  });

  it('stay the same when days are counted again, and include decisions since the last count', async () => {
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
