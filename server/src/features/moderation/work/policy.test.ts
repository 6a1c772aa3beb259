import { describe, expect, it } from 'vitest';
import { caseStages, caseSteps, caseStepNames, mayTakeStep } from '#contract/moderation/cases.ts';
import { reportPriorities, reportTypes } from '#contract/moderation/reports.ts';
import {
  dueOn,
  isLeasedByOther,
  isSafety,
  oneClickRefusal,
  type ReportOfCase,
  stageNow,
  stepsFor,
  whyCritical,
} from './policy.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const moderator = { accountId: 'mod', staffRole: 'moderator' as const };
const administrator = { accountId: 'admin', staffRole: 'admin' as const };

const report = (changes: Partial<ReportOfCase> = {}): ReportOfCase => ({
  reporter: 'ada',
  source: 'notice',
  problem_type: 'Harassment',
  may_be_minor: false,
  priority: 'high',
  raised_by_staff: false,
  status: 'pending',
  created_at: now,
  first_responded_at: null,
  ...changes,
});

describe('a claim', () => {
  const claimed = { stage: 'claimed' as const, holder_id: 'mod', lease_until: minutesLater(1) };

  it('blocks others until it expires, and never its holder', () => {
    expect(isLeasedByOther(claimed, 'other', now)).toBe(true);
    expect(isLeasedByOther(claimed, 'mod', now)).toBe(false);
    expect(isLeasedByOther(claimed, 'other', minutesLater(1))).toBe(false);
    expect(isLeasedByOther({ ...claimed, stage: 'assigned', lease_until: null }, 'other', now)).toBe(false);
  });

  it('is ignored once it has expired', () => {
    expect(stageNow(claimed, now)).toBe('claimed');
    expect(stageNow(claimed, minutesLater(1))).toBe('open');
  });
});

describe('the steps of a case', () => {
  it.each(caseStages.flatMap((stage) => caseStepNames.map((step) => [stage, step] as const)))(
    'at stage %s include %s for an administrator who has the case only if legal',
    (stage, step) => {
      const holding = { stage, holder_id: 'admin', lease_until: stage === 'claimed' ? minutesLater(5) : null };
      expect(stepsFor(holding, administrator, now).includes(step)).toBe(mayTakeStep(stage, step));
      expect(mayTakeStep(stage, step)).toBe((caseSteps[step].from as readonly string[]).includes(stage));
    },
  );

  it('are limited to ending the claim, for senior moderators and administrators, while a colleague holds the case', () => {
    const holding = { stage: 'claimed' as const, holder_id: 'other', lease_until: minutesLater(5) };
    expect(stepsFor(holding, moderator, now)).toEqual([]);
    expect(stepsFor(holding, administrator, now)).toEqual(['release', 'assign']);
  });

  it('exclude, for moderators, those that need an administrator', () => {
    const escalated = { stage: 'escalated' as const, holder_id: null, lease_until: null };
    expect(stepsFor(escalated, moderator, now)).toEqual(['decide']);
    expect(stepsFor(escalated, administrator, now)).toContain('claim');
    const theirs = { stage: 'assigned' as const, holder_id: 'other', lease_until: null };
    expect(stepsFor(theirs, moderator, now)).not.toContain('release');
    expect(stepsFor({ ...theirs, holder_id: 'mod' }, moderator, now)).toContain('release');
  });
});

describe('the deadline of a case', () => {
  const fresh = { startedAt: now, pausedMs: 0, isPaused: false, isDecided: false, hasResponse: false };

  it('depends on the priority, for the response and then for the decision', () => {
    const hours = reportPriorities.map((priority) =>
      [false, true].map(
        (hasResponse) => (Number(dueOn({ ...fresh, priority, hasResponse })) - now.getTime()) / 3_600_000,
      ),
    );
    expect(hours).toEqual([
      [1, 4],
      [4, 24],
      [24, 72],
      [72, 168],
    ]);
  });

  it('is later by the time the clock was stopped, and null while it is stopped', () => {
    expect(dueOn({ ...fresh, priority: 'critical', pausedMs: 90_000 })).toEqual(new Date(now.getTime() + 3_690_000));
    expect(dueOn({ ...fresh, priority: 'critical', isPaused: true })).toBeNull();
    expect(dueOn({ ...fresh, priority: 'critical', isDecided: true })).toBeNull();
  });
});

describe('whyCritical', () => {
  it('returns "minor" for a possible minor', () => {
    expect(whyCritical([report({ may_be_minor: true })], null)).toBe('minor');
  });

  it('returns "second_reporter" for a second safety report from a different person', () => {
    expect(whyCritical([report(), report()], null)).toBeNull();
    expect(whyCritical([report(), report({ reporter: 'bo' })], null)).toBe('second_reporter');
    expect(whyCritical([report({ status: 'resolved' }), report({ reporter: 'bo' })], null)).toBe('second_reporter');
    expect(whyCritical([report({ status: 'rejected' }), report({ reporter: 'bo' })], null)).toBeNull();
    expect(whyCritical([report(), report({ reporter: 'bo', problem_type: 'Account Issue' })], null)).toBeNull();
  });

  it('returns "confirmed_before" for a safety report after a confirmed one', () => {
    expect(whyCritical([report({ created_at: minutesLater(1) })], now)).toBe('confirmed_before');
    expect(whyCritical([report()], now)).toBeNull();
  });

  it('returns "raised" for a report that staff raised to critical', () => {
    expect(whyCritical([report({ raised_by_staff: true, problem_type: 'Other' })], null)).toBe('raised');
    expect(whyCritical([report({ priority: 'critical' })], null)).toBeNull();
  });

  it('returns null once no report is open', () => {
    expect(whyCritical([report({ may_be_minor: true, status: 'resolved' })], now)).toBeNull();
    expect(oneClickRefusal(null)).toBeNull();
    expect(oneClickRefusal('minor')?.message).toMatch(
      /^The person may be under 18, so it can't be closed with one click/,
    );
  });

  it.each(reportTypes)(
    'treats only harassment, inappropriate content and possible minors as safety: %s',
    (problem_type) => {
      const isExpected = problem_type === 'Harassment' || problem_type === 'Inappropriate Content';
      expect(isSafety({ problem_type, may_be_minor: false })).toBe(isExpected);
      expect(isSafety({ problem_type, may_be_minor: true })).toBe(true);
    },
  );
});
