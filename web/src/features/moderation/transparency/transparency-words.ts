import type {
  TransparencyFigure,
  TransparencyFile,
  TransparencyReport,
  TransparencyShare,
} from '#contract/moderation/transparency.ts';
import { roleNames } from '#contract/roles.ts';
import { t } from '../../../ui/text/text.ts';
import { outcomeWords, sanctionWords } from '../cases/decision-words.ts';

/** The heading of each figure. */
export const figureWords: Record<TransparencyFigure, string> = {
  'reports.source': 'Reports by source',
  'reports.type': 'Reports by type',
  'decisions.outcome': 'Decisions by outcome',
  'decisions.rule': 'Decisions by rule',
  'decisions.source': 'Decisions by how the problem was found',
  'decisions.detection': 'Decisions by who found the problem',
  'decisions.oneClick': 'Reports closed with one click',
  'measures.kind': 'Measures',
  'ruleHits.outcome': 'Hits of automatic rules, as judged by people',
  'holds.cause': 'Accounts held back, by cause',
  'holds.outcome': 'Holds that ended',
  'appeals.party': 'Appeals by who appealed',
  'appeals.result': 'Appeals by result',
  'secondLooks.result': 'Decisions judged again by a second person',
  'staff.role': 'Staff today, by role',
};

/** The label of each group, for figures whose groups have no words of their own. */
const groupWords: Partial<Record<TransparencyFigure, Partial<Record<string, string>>>> = {
  'reports.source': {
    notice: 'Members',
    outsider: 'People who are not members',
    own_initiative: 'Our own checks',
    automatic: 'Automatic rules',
  },
  'decisions.outcome': outcomeWords,
  'decisions.rule': { none: 'No rule' },
  'decisions.source': { notice: 'A report', own_initiative: 'Our own check', authority: 'An authority' },
  'decisions.detection': { people: 'People', automated: 'Software' },
  'decisions.oneClick': { resolved: 'Closed with one click' },
  'measures.kind': sanctionWords,
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
  'appeals.result': {
    upheld: 'Upheld',
    overturned: 'Overturned',
    partly_overturned: 'Overturned in part',
    inadmissible: 'Not admissible',
  },
  'secondLooks.result': { agreed: 'Agreed', differed: 'Differed' },
  'staff.role': roleNames,
};

/** The label of a group; one that this version doesn't know is shown as the report names it. */
export function groupWord(figure: TransparencyFigure, name: string): string {
  const word = groupWords[figure]?.[name];
  if (word !== undefined) return t(word);
  return figure === 'decisions.rule' ? t('Rule {clause}', { clause: name }) : name;
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
};

/** The label of each file. */
export const fileWords: Record<TransparencyFile, string> = {
  report: 'Report (JSON)',
  figures: 'Figures (CSV)',
  statements: 'Statements of reasons (NDJSON)',
};

/** Minutes as text, in hours or days if they are many. */
export function minutesText(minutes: number): string {
  if (minutes < 120) return t('{count, plural, one {# minute} other {# minutes}}', { count: minutes });
  const hours = Math.round(minutes / 60);
  if (hours < 48) return t('{count} hours', { count: hours });
  return t('{count} days', { count: Math.round(hours / 24) });
}
