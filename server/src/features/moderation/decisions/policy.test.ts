import { describe, expect, it } from 'vitest';
import { sanctionKinds } from '#contract/moderation/decisions.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { gapsIn, type GivenDecision, maySanction, namesReporter, recommend, statusOf } from './policy.ts';

const facts = 'Sent nine insulting messages after being asked to stop.';
const complete: GivenDecision = { outcome: 'actioned', ruleId: 'r', facts, sanctions: [{ kind: 'warn' }] };
const fields = (given: Partial<GivenDecision>, hasPerson = true) =>
  gapsIn({ ...complete, ...given }, hasPerson).map(({ field }) => field);

describe('a decision', () => {
  it('is complete with a rule, facts and a measure', () => {
    expect(fields({})).toEqual([]);
  });

  it.each<[string, Partial<GivenDecision>, string]>([
    ['without a rule', { ruleId: undefined }, 'ruleId'],
    ['without facts', { facts: undefined }, 'facts'],
    ['with 39 characters of facts', { facts: 'x'.repeat(39) }, 'facts'],
    ['with facts of hidden characters', { facts: `a${'\u034f'.repeat(50)}b` }, 'facts'],
    ['without a measure', { sanctions: [] }, 'sanctions'],
    ['with a measure twice', { sanctions: [{ kind: 'warn' }, { kind: 'warn' }] }, 'sanctions'],
    ['with a suspension and a ban', { sanctions: [{ kind: 'suspend', days: 3 }, { kind: 'ban' }] }, 'sanctions'],
    ['with an endless suspension', { sanctions: [{ kind: 'suspend' }] }, 'sanctions'],
    ['with a ban that ends', { sanctions: [{ kind: 'ban', days: 3 }] }, 'sanctions'],
    ['with a sanction but no violation', { outcome: 'no_violation' }, 'sanctions'],
  ])('is rejected %s', (_, given, field) => {
    expect(fields(given)).toEqual([field]);
  });

  it('needs no reasons when there is no violation, and no sanction on a deleted account', () => {
    expect(gapsIn({ outcome: 'unfounded' }, true)).toEqual([]);
    expect(fields({}, false)).toEqual(['sanctions']);
    expect(fields({ facts: 'x'.repeat(40) })).toEqual([]);
  });

  it('resolves or rejects the reports', () => {
    expect((['actioned', 'fixed', 'no_violation', 'unfounded'] as const).map(statusOf)).toEqual([
      'resolved',
      'resolved',
      'rejected',
      'rejected',
    ]);
  });
});

describe('namesReporter', () => {
  const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@heartwood.test' };

  it.each([
    ['Ada complained about it', true],
    ['the BYRON account', true],
    ['the Býron account', true],
    ['told by ada@heartwood.test', true],
    ['an adamant person', false],
    ['They insulted a member', false],
  ])('returns, for "%s", %s', (text, isNamed) => {
    expect(namesReporter(text, [ada], ['Bo', 'Ek'])).toBe(isNamed);
  });

  it('finds a name in look-alike letters or with invisible ones in between', () => {
    expect(namesReporter('It was Ａｄａ who wrote', [ada], [])).toBe(true);
    expect(namesReporter('It was A\u200bd\u200ba who wrote', [ada], [])).toBe(true);
  });

  it.each([
    ['Bo', 'Bo told us about it', true],
    ['Bo', 'told by BO and others', true],
    ['Bo', 'A bore, and Bob too', false],
    ['이준', '이준이 신고했습니다', true],
    ['小明', '这是小明说的', true],
    ['さくら', 'それはさくらさんから聞きました', true],
    ['小明', '这是小红说的', false],
    ['Łukasz', 'Lukasz told us', true],
    ['Ål', 'told by AL', true],
    ['حسـن', 'قال حَسَن ذلك', true],
  ])('finds a name as short as "%s": "%s" returns %s', (firstName, text, isNamed) => {
    expect(namesReporter(text, [{ firstName, lastName: null, email: null }], ['Li', '小红'])).toBe(isNamed);
  });

  it('ignores the reported person’s own name, and short words in lower case', () => {
    expect(namesReporter('Ada wrote it', [ada], ['Ada', null])).toBe(false);
    expect(namesReporter('Bo wrote it', [{ firstName: 'Bo', lastName: null, email: null }], ['Bo'])).toBe(false);
    expect(namesReporter('at bo home', [{ firstName: 'Bo', lastName: null, email: null }], [])).toBe(false);
  });
});

describe('sanctions', () => {
  it.each([
    ['without an end', undefined, ['warn', 'remove_content']],
    ['for eight days', 8, ['warn', 'remove_content']],
    ['for a week', 7, ['warn', 'remove_content', 'limit_messaging', 'hide_profile', 'suspend']],
  ])('%s are within a moderator’s role only if they restrict an account for a week at most', (_, days, allowed) => {
    const within = (role: StaffRole) => sanctionKinds.filter((kind) => maySanction(role, { kind, days }));
    expect(within('moderator')).toEqual(allowed);
    expect(within('senior')).toEqual(sanctionKinds);
  });

  it('are recommended by strikes, each more severe than the one before', () => {
    expect([0, 1, 3, 6].map(recommend)).toEqual([
      { kind: 'warn', days: null, strikes: 0 },
      { kind: 'suspend', days: 7, strikes: 1 },
      { kind: 'suspend', days: 30, strikes: 3 },
      { kind: 'ban', days: null, strikes: 6 },
    ]);
  });
});
