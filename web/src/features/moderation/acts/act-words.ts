import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { caseEventKinds, CaseMoment } from '#contract/moderation/cases.ts';
import type { HoldOutcome } from '#contract/moderation/holds.ts';
import type { timelineKinds } from '#contract/moderation/report-file.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { appealWords } from '../appeals/appeal-words.ts';
import { ageWords, criticalWords, emergencyWords, holdWords, linkWords } from '../cases/case-words.ts';
import { outcomeWords, sanctionWords } from '../cases/decision-words.ts';
import { type ByValue, priorityWords, statusWords, wordFor } from '../reports/report-words.ts';

/** What happened to a report or a case as a sentence; `{actor}` is the actor, and `{from}` and `{to}` are the changed values. */
const sentences: Record<(typeof timelineKinds | typeof caseEventKinds)[number], MessageDescriptor> = {
  filed: msg({ message: '{actor} filed the report' }),
  raised: msg({ message: 'The priority was raised from {from} to {to}' }),
  status: msg({ message: '{actor} changed the status from {from} to {to}' }),
  undone: msg({ message: '{actor} undid a change: from {from} to {to}' }),
  priority: msg({ message: '{actor} changed the priority from {from} to {to}' }),
  reply: msg({ message: '{actor} replied' }),
  note: msg({ message: '{actor} left an internal note' }),
  opened: msg`The case was opened`,
  claimed: msg({ message: '{actor} claimed the case' }),
  released: msg({ message: '{actor} released the case' }),
  lease_expired: msg`A claim expired, and the case can be claimed again`,
  assigned: msg({ message: '{actor} assigned the case to {to}' }),
  escalated: msg({ message: '{actor} escalated the case' }),
  waiting_reporter: msg({ message: '{actor} asked the reporter, and the clock stopped' }),
  waiting_authority: msg({ message: '{actor} referred the case to an authority, and the clock stopped' }),
  resumed: msg`The clock runs again`,
  raised_critical: msg({ message: 'The case became critical: {to}' }),
  closed: msg`The last open report was closed, and with it the case`,
  reopened: msg`The case was opened again`,
  decided: msg({ message: '{actor} decided: {to}' }),
  sanction_revoked: msg({ message: '{actor} revoked: {to}' }),
  sanction_ended: msg({ message: 'Over: {to}' }),
  appeal_submitted: msg({ message: '{actor} appealed a decision' }),
  appeal_reviewed: msg({ message: '{actor} took an appeal into review' }),
  appeal_decided: msg({ message: '{actor} decided an appeal: {to}' }),
  appeal_withdrawn: msg({ message: '{actor} withdrew an appeal' }),
  linked: msg({ message: 'In common with a banned account: {to}' }),
  searched: msg({ message: 'Compared all accounts with the ban; in common with it: {to}' }),
  held: msg({ message: 'Likes, notes and first messages are held back: {to}' }),
  hold_ended: msg({ message: 'The hold ended: {to}' }),
  rule_hit: msg({ message: 'The automatic rule “{to}” hit the person' }),
  emergency: msg({ message: 'Emergency: {to}' }),
  restriction_ended: msg({ message: '{actor} ended the temporary restriction' }),
  referred: msg({ message: '{actor} recorded a referral to an authority' }),
  legal_hold_set: msg({ message: '{actor} set a legal hold: nothing about the person is deleted' }),
  legal_hold_released: msg({ message: '{actor} approved the release of the legal hold' }),
  age_asked: msg({ message: '{actor} asked the person for age assurance' }),
  age_answered: msg({ message: 'The age check ended: {to}' }),
  rule_undone: msg({ message: 'Undone after 72 hours without a decision: what the automatic rule “{to}” did' }),
};

/** The sentences for events whose values are not known. */
const bareSentences: ByValue<MessageDescriptor> = {
  raised: msg`The priority was raised`,
  status: msg({ message: '{actor} changed the status' }),
  undone: msg({ message: '{actor} undid a change' }),
  priority: msg({ message: '{actor} changed the priority' }),
};

/** How a hold ended. */
const holdOutcomeWords: Record<HoldOutcome, MessageDescriptor> = {
  released: msg`what was held back is delivered`,
  dropped: msg`what was held back is never delivered`,
  expired: msg`no one decided within three days, so what was held back is delivered`,
};

/** The labels of the values that acts change. */
export const actValues = {
  // First, because a minor is also a reason why a case is critical.
  ...emergencyWords,
  ...statusWords,
  ...reportTypeWords,
  ...priorityWords,
  ...criticalWords,
  ...outcomeWords,
  ...sanctionWords,
  ...appealWords,
  ...linkWords,
  ...holdWords,
  ...ageWords,
};

/** The label of a value that an act of this kind changes. */
export const actValue = (kind: string, value: string | null | undefined): string =>
  wordFor(kind === 'hold_ended' ? holdOutcomeWords : actValues, value ?? '');

/** An event of a report or a case; without the actor where the sentence names no one. `reportId` is set in lists about several reports. */
type Act = Pick<CaseMoment, 'kind' | 'from' | 'to'> & Partial<Pick<CaseMoment, 'actor' | 'reportId'>>;

/** How a report without a reporter was created. */
function begunWords({ actor, reportId }: Act): MessageDescriptor {
  if (actor?.role === 'system') return msg`Opened automatically`;
  return reportId === undefined
    ? msg({ message: '{actor} started this without a report' })
    : msg({ message: '{actor} opened the case on their own initiative' });
}

/** An event as a sentence, with the labels of its values. One of an unknown kind is shown by its technical name. */
export function actSentence(act: Act) {
  const { kind, from, to, actor } = act;
  const begun = kind === 'filed' && actor !== undefined && actor.role !== 'reporter' ? begunWords(act) : undefined;
  const bare = from === null || to === null ? bareSentences[kind] : undefined;
  const known: ByValue<MessageDescriptor> = sentences;
  return {
    text: begun ?? bare ?? known[kind] ?? { id: kind },
    from: actValue(kind, from),
    to: actValue(kind, to),
  };
}
