import { describe, expect, it } from 'vitest';
import { mayHold, type ReportFacts } from './report-power.policy.ts';

const facts: ReportFacts = {
  ...{ hasConfirmedAddress: true, isDayOld: true, wasRejected: false, wasShown: true, hasSecond: false },
  ...{ isCleared: false, holdsByReporter: 2, holdsFromNetwork: 9 },
};

describe('mayHold', () => {
  it.each<[string, Partial<ReportFacts>, boolean]>([
    ['someone the service showed to the reporter', {}, true],
    ['someone two independent people reported', { wasShown: false, hasSecond: true }, true],
    ['someone the reporter only found', { wasShown: false }, false],
    ['without a confirmed address', { hasConfirmedAddress: false }, false],
    ['without a confirmed address as the second one', { hasConfirmedAddress: false, hasSecond: true }, false],
    ['with a new account', { isDayOld: false }, false],
    ['with a new account as the second one', { isDayOld: false, hasSecond: true }, false],
    ['after a rejected report', { wasRejected: true, hasSecond: true }, false],
    ['after staff found nothing', { isCleared: true, hasSecond: true }, false],
    ['a fourth person in a day', { holdsByReporter: 3, hasSecond: true }, false],
    ['an eleventh person of the network in a day', { holdsFromNetwork: 10, hasSecond: true }, false],
  ])('%s: %j → %s', (_, given, expected) => {
    expect(mayHold({ ...facts, ...given })).toBe(expected);
  });
});
