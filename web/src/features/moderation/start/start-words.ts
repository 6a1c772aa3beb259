import { startCountMost, type StartRow, type StartSection } from '#contract/moderation/start.ts';
import { may, type Permission, reportScopes, type StaffRole } from '#contract/roles.ts';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { t } from '../../../ui/text/text.ts';
import { momentSentence } from '../cases/case-words.ts';
import { countText } from '../cases/CaseMarks.tsx';
import { addressIn } from '../cases/queries.ts';

/** The sections of both columns, in the order in which the keyboard goes through them. */
export const columns = [
  ['mine', 'waiting', 'unassigned'],
  ['due', 'changed'],
] as const;
export type SectionName = (typeof columns)[number][number];

/** Each section's title, what it says without rows, and the lists that have more. */
export const sectionWords: Record<
  SectionName,
  { title: string; empty: string; lists: readonly (readonly [text: string, to: string, needs: Permission])[] }
> = {
  mine: {
    title: 'Mine',
    empty: 'No case or report is yours right now.',
    lists: [
      ['All my cases', addressIn('mine'), 'cases.handle'],
      ['All my reports', '/reports?assigned=me', 'reports.handle'],
    ],
  },
  due: {
    title: 'Due',
    empty: 'Nothing is overdue or due within four hours.',
    lists: [
      ['All overdue cases', addressIn('breached'), 'cases.handle'],
      ['All cases due soon', addressIn('due_soon'), 'cases.handle'],
      ['All reports by deadline', '/reports?sortBy=dueAt', 'reports.handle'],
    ],
  },
  waiting: {
    title: 'Waiting for me',
    empty: 'Nothing is waiting for you.',
    lists: [
      ['All appeals', '/appeals', 'appeals.decide'],
      ['All escalated cases', addressIn('escalated'), 'cases.lead'],
      ['All pending pictures', '/users?pictures=pending', 'pictures.review'],
      ['Selfies to compare', '/users?pictures=selfies', 'pictures.review'],
      ['All approvals', '/team', 'users.export'],
    ],
  },
  unassigned: {
    title: 'Unassigned',
    empty: 'No new report is waiting for a colleague.',
    lists: [['All pending reports', '/reports?status=pending', 'reports.handle']],
  },
  changed: { title: 'Since you left', empty: 'Nothing has changed in your matters.', lists: [] },
};

/** Whether a role can have rows in a section: without cases nothing waits for anyone in particular, and with cases new reports are in them. */
function hasSection(role: StaffRole | null, name: SectionName): boolean {
  if (name === 'waiting') return may(role, 'cases.handle');
  return name !== 'unassigned' || (role !== null && reportScopes[role] !== undefined);
}

/** Whether a section is on the page of a role: also without rows, if the role usually has some. */
export const isShown = (role: StaffRole | null, name: SectionName, { count }: StartSection): boolean =>
  count > 0 || hasSection(role, name);

/** What a section without rows says, which for roles without cases doesn't name them. */
export const emptyText = (role: StaffRole | null, name: SectionName): string =>
  t(name === 'mine' && !may(role, 'cases.handle') ? 'No report is yours right now.' : sectionWords[name].empty);

/** How many more there are than the rows that are shown; null if these are all. */
export function moreText({ rows, count }: StartSection): string | null {
  const more = count - rows.length;
  return more > 0 ? t('{count} more', { count: countText(more, count >= startCountMost) }) : null;
}

/** Why a row is here; other words are kinds of events in a case. */
const reasons: Record<string, string> = {
  held: 'Your case',
  opened: 'Case you opened',
  assigned: 'Your report',
  answered: 'Your report, waiting for the member',
  due: 'Case',
  dueHeld: 'Case of {actor}',
  unanswered: 'Report without an answer',
  appeal: 'Appeal to review',
  escalated: 'Escalated case',
  holdReview: 'Legal hold to review',
  reply: 'Answered you',
  new: 'New report',
  pictures: 'Waiting for review',
  approval: '{actor} asks for your approval',
  download: 'Ready to download',
  running: 'Running',
  replied: 'Answered on a report: {to}',
  noted: '{actor} wrote a note',
  approved: '{actor} approved it',
  rejected: '{actor} rejected it',
  done: 'Done',
  canceled: 'Canceled',
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

/** Why the row is here, with what was reported. In `changed`, words are events first. */
export function reasonOf({ what, by, to, types }: StartRow, section: SectionName): string {
  const event = momentSentence({ kind: what, from: null, to });
  const isEvent = section === 'changed' && event.text !== what;
  const word = what === 'due' && by !== null ? 'dueHeld' : what;
  const text = isEvent ? event.text : (reasons[word] ?? event.text);
  const reason = t(text, { actor: by ?? '', to: t(event.to) });
  return [reason, ...types.map((type) => t(type))].join(' · ');
}

const pages = { case: '/cases/', report: '/reports/', appeal: '/appeals/', user: '/users/', bulkAct: '/start?act=' };

/** Where a row leads. */
export function addressOf({ opens, _id: id }: StartRow): string {
  if (opens === 'pictures') return '/users?pictures=pending';
  return opens === 'approvals' ? '/team' : `${pages[opens]}${id ?? ''}`;
}

/** The keyboard shortcuts of the page. */
export const startKeys: KeyList = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands'],
  ['?', 'Show these keys'],
];
