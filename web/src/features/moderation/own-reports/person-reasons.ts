import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ReportType } from '#contract/moderation/reports.ts';

interface PersonReason {
  /** What is sent as the description if the member writes nothing. */
  words: MessageDescriptor;
  problem_type: ReportType;
  mayBeMinor?: true;
}

/** The reasons to report a person, from the most common one, without those about the service. */
export const personReasons = {
  rude: { words: msg`Insults, threats or harassment`, problem_type: 'Harassment' },
  content: { words: msg`Inappropriate pictures or messages`, problem_type: 'Inappropriate Content' },
  fake: { words: msg`Fake profile, or wants money`, problem_type: 'Inappropriate Content' },
  minor: { words: msg`May be under 18`, problem_type: 'Inappropriate Content', mayBeMinor: true },
  other: { words: msg`Something else`, problem_type: 'Other' },
} satisfies Record<string, PersonReason>;

export type PersonReasonName = keyof typeof personReasons;

export const isPersonReason = (name: string): name is PersonReasonName => Object.hasOwn(personReasons, name);

/** What a reason says in the body of a report. */
export function reasonInBody(name: PersonReasonName): { problem_type: ReportType; mayBeMinor: boolean } {
  const reason: PersonReason = personReasons[name];
  return { problem_type: reason.problem_type, mayBeMinor: reason.mayBeMinor === true };
}
