import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type {
  TransparencyFigure,
  TransparencyFile,
  TransparencyReport,
  TransparencyShare,
} from '#contract/moderation/transparency.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { roleNames } from '#contract/roles.ts';
import { appealWords } from '../appeals/appeal-words.ts';
import { emergencyWords } from '../cases/case-words.ts';
import { outcomeWords, sanctionWords, sourceWords } from '../cases/decision-words.ts';

/** The heading of each figure. */
export const figureWords: Record<TransparencyFigure, MessageDescriptor> = {
  'notices.type': msg`Notices from people who are not members`,
  'reports.source': msg`Reports by source`,
  'reports.type': msg`Reports by type`,
  'decisions.outcome': msg`Decisions by outcome`,
  'decisions.rule': msg`Decisions by rule`,
  'decisions.source': msg`Decisions by how the problem was found`,
  'decisions.detection': msg`Decisions by who found the problem`,
  'decisions.oneClick': msg`Reports closed with one click`,
  'measures.kind': msg`Measures of decisions`,
  'interim.rule': msg`Restrictions until a decision, by rule`,
  'interim.measures': msg`Measures until a decision`,
  'ruleHits.outcome': msg`Hits of automatic rules, as judged by people`,
  'holds.cause': msg`Accounts held back, by cause`,
  'holds.outcome': msg`Holds that ended`,
  'pictures.refused': msg`Pictures refused, by people or software`,
  'emergencies.kind': msg`Emergencies`,
  'referrals.made': msg`Referrals to authorities`,
  'legalHolds.set': msg`Accounts kept for an authority`,
  'appeals.party': msg`Appeals by who appealed`,
  'appeals.result': msg`Appeals by result`,
  'secondLooks.result': msg`Decisions judged again by a second person`,
  'staff.role': msg`Staff today, by role`,
};

const finderWords = { people: msg({ message: 'People', context: 'not software' }), automated: msg`Software` };

/** The label of each group, for figures whose groups have no words of their own. */
const groupWords: Partial<Record<TransparencyFigure, Partial<Record<string, MessageDescriptor>>>> = {
  'notices.type': outsiderTypes,
  'reports.source': {
    notice: msg`Members`,
    outsider: msg`People who are not members`,
    own_initiative: msg`Our own checks`,
    automatic: msg`Automatic rules`,
  },
  'reports.type': reportTypeWords,
  'decisions.outcome': outcomeWords,
  'decisions.rule': { none: msg`No rule` },
  'decisions.source': sourceWords,
  'decisions.detection': finderWords,
  'decisions.oneClick': { resolved: msg`Closed with one click` },
  'measures.kind': sanctionWords,
  'interim.measures': sanctionWords,
  'ruleHits.outcome': {
    confirmed: msg`Confirmed`,
    cleared: msg`Wrong`,
    expired: msg`Undone, because no one judged them in time`,
  },
  'holds.cause': { critical_case: msg`A critical case`, ban_trace: msg`A link to a ban`, rule: msg`An automatic rule` },
  'holds.outcome': {
    released: msg`Delivered after a check`,
    dropped: msg`Never delivered`,
    expired: msg`Delivered, because no one decided in time`,
  },
  'appeals.party': { person: msg`People we decided about`, reporter: msg`People who reported` },
  'pictures.refused': finderWords,
  'emergencies.kind': emergencyWords,
  'referrals.made': { made: msg`Made` },
  'legalHolds.set': { set: msg({ message: 'Set', context: 'legal holds' }) },
  'appeals.result': appealWords,
  'secondLooks.result': { agreed: msg`Agreed`, differed: msg`Differed` },
  'staff.role': roleNames,
};

/** The label of a group; one that this version doesn't know is shown as the report names it. */
export function groupWord(figure: TransparencyFigure, name: string): string {
  const word = groupWords[figure]?.[name];
  if (word !== undefined) return t(word);
  return figure === 'decisions.rule' || figure === 'interim.rule' ? t`Rule ${{ clause: name }}` : name;
}

/** The label of each share. */
export const shareWords: Record<TransparencyShare, MessageDescriptor> = {
  ruleErrors: msg`Hits of automatic rules that were wrong`,
  appealsOverturned: msg`Appeals that took back a decision`,
  secondLooksAgreed: msg`Second looks that agreed`,
};

/** The label of each time. */
export const timeWords: Record<TransparencyReport['times'][number]['what'], MessageDescriptor> = {
  response: msg`First answer`,
  decision: msg`Decision`,
  appeal: msg`Answer to an appeal`,
};

/** The label of each file. */
export const fileWords: Record<TransparencyFile, MessageDescriptor> = {
  report: msg`Report (JSON)`,
  figures: msg`Figures (CSV)`,
  statements: msg`Statements of reasons (NDJSON)`,
};
