import { beforeAll, describe, expect, it } from 'vitest';
import { type DecisionFigures, getDecisionFigures } from '#contract/moderation/decided-cases.ts';
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
