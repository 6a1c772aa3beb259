import type {
  TransparencyFigure,
  TransparencyFile,
  TransparencyReport,
  TransparencyShare,
} from '#contract/moderation/transparency.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { roleNames } from '#contract/roles.ts';
import { t } from '../../../ui/text/text.ts';
import { appealWords } from '../appeals/appeal-words.ts';
import { emergencyWords } from '../cases/case-words.ts';
import { outcomeWords, sanctionWords, sourceWords } from '../cases/decision-words.ts';

/** The heading of each figure. */
export const figureWords: Record<TransparencyFigure, string> = {
  'notices.type': 'Notices from people who are not members',
  'reports.source': 'Reports by source',
  'reports.type': 'Reports by type',
  'decisions.outcome': 'Decisions by outcome',
  'decisions.rule': 'Decisions by rule',
  'decisions.source': 'Decisions by how the problem was found',
  'decisions.detection': 'Decisions by who found the problem',
  'decisions.oneClick': 'Reports closed with one click',
  'measures.kind': 'Measures of decisions',
  'interim.rule': 'Restrictions until a decision, by rule',
  'interim.measures': 'Measures until a decision',
  'ruleHits.outcome': 'Hits of automatic rules, as judged by people',
  'holds.cause': 'Accounts held back, by cause',
  'holds.outcome': 'Holds that ended',
  'pictures.refused': 'Pictures refused, by people or software',
  'emergencies.kind': 'Emergencies',
  'referrals.made': 'Referrals to authorities',
  'legalHolds.set': 'Accounts kept for an authority',
  'appeals.party': 'Appeals by who appealed',
  'appeals.result': 'Appeals by result',
  'secondLooks.result': 'Decisions judged again by a second person',
  'staff.role': 'Staff today, by role',
};

const finderWords = { people: 'People', automated: 'Software' };

/** The label of each group, for figures whose groups have no words of their own. */
const groupWords: Partial<Record<TransparencyFigure, Partial<Record<string, string>>>> = {
  'notices.type': outsiderTypes,
  'reports.source': {
    notice: 'Members',
    outsider: 'People who are not members',
    own_initiative: 'Our own checks',
    automatic: 'Automatic rules',
  },
  'decisions.outcome': outcomeWords,
  'decisions.rule': { none: 'No rule' },
  'decisions.source': sourceWords,
  'decisions.detection': finderWords,
  'decisions.oneClick': { resolved: 'Closed with one click' },
  'measures.kind': sanctionWords,
  'interim.measures': sanctionWords,
  'ruleHits.outcome': {
    confirmed: 'Confirmed',
    cleared: 'Wrong',
    expired: 'Undone, because no one judged them in time',
  },
  'holds.cause': { critical_case: 'A critical case', ban_trace: 'A link to a ban', rule: 'An automatic rule' },
  'holds.outcome': {
    released: 'Delivered after a check',
    dropped: 'Never delivered',
    expired: 'Delivered, because no one decided in time',
  },
  'appeals.party': { person: 'People we decided about', reporter: 'People who reported' },
  'pictures.refused': finderWords,
  'emergencies.kind': emergencyWords,
  'referrals.made': { made: 'Made' },
  'legalHolds.set': { set: 'Set' },
  'appeals.result': appealWords,
  'secondLooks.result': { agreed: 'Agreed', differed: 'Differed' },
  'staff.role': roleNames,
};

/** The label of a group; one that this version doesn't know is shown as the report names it. */
export function groupWord(figure: TransparencyFigure, name: string): string {
  const word = groupWords[figure]?.[name];
  if (word !== undefined) return t(word);
  return figure === 'decisions.rule' || figure === 'interim.rule' ? t('Rule {clause}', { clause: name }) : name;
}

/** The label of each share. */
export const shareWords: Record<TransparencyShare, string> = {
  ruleErrors: 'Hits of automatic rules that were wrong',
  appealsOverturned: 'Appeals that took back a decision',
  secondLooksAgreed: 'Second looks that agreed',
};

/** The label of each time. */
export const timeWords: Record<TransparencyReport['times'][number]['what'], string> = {
  response: 'First answer',
  decision: 'Decision',
  appeal: 'Answer to an appeal',
};

/** The label of each file. */
export const fileWords: Record<TransparencyFile, string> = {
  report: 'Report (JSON)',
  figures: 'Figures (CSV)',
  statements: 'Statements of reasons (NDJSON)',
};
