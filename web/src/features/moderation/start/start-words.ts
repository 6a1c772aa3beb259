import type { StartList, StartRow } from '#contract/moderation/start.ts';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { addressIn } from '../cases/queries.ts';

/** Where a list is, and how its link reads. */
export const lists: Record<StartList, [text: string, to: string]> = {
  myCases: ['All my cases', addressIn('mine')],
  myReports: ['All my reports', '/reports?assigned=me'],
  overdueCases: ['All overdue cases', addressIn('breached')],
  dueSoonCases: ['All cases due soon', addressIn('due_soon')],
  dueReports: ['All reports by deadline', '/reports?sortBy=dueAt'],
  appeals: ['All appeals', '/appeals'],
  escalatedCases: ['All escalated cases', addressIn('escalated')],
  newReports: ['All new reports', '/reports?status=pending'],
  pictures: ['All pending pictures', '/users?pictures=pending'],
  approvals: ['All approvals', '/team'],
};

type Words = Record<StartRow['what'], string>;

/** What a row is about. */
const whatWords: Words = {
  held: 'Your case',
  opened: 'Case you opened',
  assigned: 'Your report',
  lateCase: 'Case',
  lateReport: 'Report without an answer',
  lateAppeal: 'Appeal',
  appeal: 'Appeal to review',
  escalated: 'Escalated case',
  reply: 'Answered you',
  newReport: 'New report',
  pictures: 'Waiting for a decision',
  approval: 'Waiting for your approval',
  download: 'Ready to download',
  running: 'Running',
  takenOver: 'The case was taken over',
  assignedToMe: 'The case was assigned to you',
  wasEscalated: 'The case was escalated',
  reopened: 'The case was reopened',
  decided: 'The case was decided',
  raisedCritical: 'The case became critical',
  appealed: 'The decision was appealed',
  overturned: 'The decision was overturned',
  upheld: 'The decision stays after an appeal',
  withdrawn: 'The appeal was withdrawn',
  revoked: 'A measure was revoked',
  replied: 'Answered',
  noted: 'New note',
  approved: 'Approved',
  rejected: 'Rejected',
  finished: 'Done',
  canceled: 'Canceled',
};

/** The same for rows that say which colleague did it. */
const byWords: Partial<Words> = {
  takenOver: '{by} has the case now',
  assignedToMe: '{by} assigned the case to you',
  wasEscalated: '{by} escalated the case',
  reopened: '{by} reopened the case',
  decided: '{by} decided the case',
  overturned: '{by} overturned the decision',
  upheld: '{by} decided that the decision stays',
  revoked: '{by} revoked a measure',
  noted: 'Note by {by}',
  approval: '{by} asks for your approval',
  approved: 'Approved by {by}',
  rejected: 'Rejected by {by}',
};

/** What a row that is about no one person is called. */
const titles: Partial<Record<StartRow['opens'], string>> = {
  pictures: '{count, plural, one {# picture} other {# pictures}}',
  approvals: 'Export of {count, plural, one {# user} other {# users}}',
  bulkAct: 'Act on {count, plural, one {# user} other {# users}}',
};

/** The person or the thing that a row is about. */
export function titleOf({ opens, name, count }: StartRow): string {
  const title = titles[opens];
  return title === undefined ? (name ?? t('Unknown')) : t(title, { count: count ?? 0 });
}

/** Why the row is here, with what was reported. */
export function reasonOf({ what, by, types }: StartRow): string {
  const text = by === null ? undefined : byWords[what];
  const reason = text === undefined ? t(whatWords[what]) : t(text, { by: by ?? '' });
  return [reason, types.map((type) => t(type)).join(', ')].filter(Boolean).join(' · ');
}

/** Where a row leads. */
export function addressOf({ opens, _id }: StartRow): string {
  const id = _id ?? '';
  switch (opens) {
    case 'case':
      return `/cases/${id}`;
    case 'report':
      return `/reports/${id}`;
    case 'appeal':
      return `/appeals/${id}`;
    case 'user':
      return `/users/${id}`;
    case 'pictures':
      return lists.pictures[1];
    case 'approvals':
      return lists.approvals[1];
    case 'bulkAct':
      return `/start?act=${id}`;
  }
}

/** A number of rows, which are counted up to a hundred. */
export const countWord = (count: number, most: number) => `${formatNumber(count)}${count < most ? '' : '+'}`;

/** The keyboard shortcuts of the page. */
export const startKeys: KeyList = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands'],
  ['?', 'Show these keys'],
];
