import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { decisionMonths, type DecisionFigures, getDecisionFigures } from '#contract/moderation/decided-cases.ts';
import type { AppealState } from '#contract/moderation/decisions.ts';
import { decisionAbout } from '../../../../test/moderation/decisions.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const app = startAppForTests();
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
  // One click, and a decision before the first month, are not counted.
  const by = { id: moderator.id, name: 'Zoe Quill' };
  await decisionAbout(app, (await makeMember(app)).id, { by, at: new Date('2026-06-01T10:00:00Z'), outcome: null });
  await decisionAbout(app, (await makeMember(app)).id, { by, at: new Date('2025-06-30T23:59:59Z'), clause: '2' });
  await decisionAbout(app, party.id, { by, at: new Date('2026-06-03T10:00:00Z'), clause: '2' });
});

const figures = async (by: TestMember): Promise<DecisionFigures> =>
  (await app.call(getDecisionFigures, { token: by.token })).body.data;

describe('GET /admin/decision-figures', () => {
  it('equals the numbers in the rows', async () => {
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

  it('shows others only their own line', async () => {
    expect((await figures(moderator)).people).toMatchObject([{ name: 'Zoe Quill', isOwn: true, decided: 21 }]);
    expect((await figures(newcomer)).people).toMatchObject([{ name: 'Abe Nyman', isOwn: true }]);
    expect((await figures(await makeModerator(app))).people).toEqual([]);
  });

  it('hides shares and times of a single colleague from others', async () => {
    // Two people have decided: the newcomer's figures without their own are the moderator's, and the reverse.
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
