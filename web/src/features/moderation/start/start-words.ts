import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { startCountMost, type StartRow, type StartSection } from '#contract/moderation/start.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { may, type Permission, reportScopes } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { fill } from '../../../ui/text/i18n.ts';
import { actSentence } from '../acts/act-words.ts';
import { countText } from '../cases/CaseMarks.tsx';
import { addressIn } from '../cases/queries.ts';

/** The sections of both columns, in the order in which the keyboard goes through them. */
export const columns = [
  ['mine', 'waiting', 'unassigned'],
  ['due', 'changed'],
] as const;
export type SectionName = (typeof columns)[number][number];

/** The title of each section, its text without rows, and the lists with more rows. */
export const sectionWords: Record<
  SectionName,
  {
    title: MessageDescriptor;
    empty: MessageDescriptor;
    lists: readonly (readonly [text: MessageDescriptor, to: string, needs: Permission])[];
  }
> = {
  mine: {
    title: msg`Mine`,
    empty: msg`You have no cases or reports right now.`,
    lists: [
      [msg`All my cases`, addressIn('mine'), 'cases.handle'],
      [msg`All my reports`, '/reports?assigned=me', 'reports.handle'],
    ],
  },
  due: {
    title: msg`Due`,
    empty: msg`Nothing is overdue or due within four hours.`,
    lists: [
      [msg`All overdue cases`, addressIn('breached'), 'cases.handle'],
      [msg`All cases due soon`, addressIn('due_soon'), 'cases.handle'],
      [msg`All reports by deadline`, '/reports?sortBy=dueAt', 'reports.handle'],
    ],
  },
  waiting: {
    title: msg`Waiting for me`,
    empty: msg`Nothing is waiting for you.`,
    lists: [
      [msg`All appeals`, '/appeals', 'appeals.decide'],
      [msg`All escalated cases`, addressIn('escalated'), 'cases.lead'],
      [msg`All pending pictures`, '/queue/pictures', 'pictures.review'],
      [msg`Selfies to compare`, '/queue/verification', 'pictures.review'],
      [msg`All approvals`, '/team', 'users.export'],
    ],
  },
  unassigned: {
    title: msg`Unassigned`,
    empty: msg`No new report is waiting for a colleague.`,
    lists: [[msg`All pending reports`, '/reports?status=pending', 'reports.handle']],
  },
  changed: { title: msg`Since you left`, empty: msg`Nothing has changed in your work.`, lists: [] },
};

/** Whether a role can have rows in a section: without cases nothing waits for anyone in particular, and with cases new reports are part of them. */
function hasSection(role: StaffRole | null, name: SectionName): boolean {
  if (name === 'waiting') return may(role, 'cases.handle');
  return name !== 'unassigned' || (role !== null && reportScopes[role] !== undefined);
}

/** Whether the page of a role shows a section: if it has rows, or the role usually has some. */
export const isShown = (role: StaffRole | null, name: SectionName, { count }: StartSection): boolean =>
  count > 0 || hasSection(role, name);

/** The text of a section without rows, which doesn't mention cases for roles without them. */
export const emptyText = (role: StaffRole | null, name: SectionName): string =>
  name === 'mine' && !may(role, 'cases.handle') ? t`You have no reports right now.` : t(sectionWords[name].empty);

/** How many more rows there are than shown; null if these are all. */
export function moreText({ rows, count }: StartSection): string | null {
  const more = count - rows.length;
  return more > 0 ? t`${{ count: countText(more, count >= startCountMost) }} more` : null;
}

/** Why a row is listed; other words are kinds of case events. */
const reasons: Record<string, MessageDescriptor> = {
  held: msg`Your case`,
  opened: msg`Case you opened`,
  assigned: msg`Your report`,
  answered: msg`Your report, waiting for the member`,
  due: msg`Case`,
  dueHeld: msg({ message: 'Case of {actor}' }),
  unanswered: msg`Report without an answer`,
  appeal: msg`Appeal to review`,
  escalated: msg`Escalated case`,
  holdReview: msg`Legal hold to review`,
  reply: msg`Answered you`,
  new: msg`New report`,
  pictures: msg`Waiting for review`,
  approval: msg({ message: '{actor} asks for your approval' }),
  download: msg`Approved`,
  running: msg`Running`,
  replied: msg({ message: 'Answered on a report: {to}' }),
  noted: msg({ message: '{actor} wrote a note' }),
  approved: msg({ message: '{actor} approved it' }),
  rejected: msg({ message: '{actor} rejected it' }),
  done: msg`Done`,
  canceled: msg`Canceled`,
};

/** The name of a row that is not about a single person. */
const titles: Partial<Record<StartRow['opens'], MessageDescriptor>> = {
  pictures: msg({ message: '{count, plural, one {# picture} other {# pictures}}' }),
  approvals: msg({ message: 'Request about {count, plural, one {# user} other {# users}}' }),
  bulkAct: msg({ message: 'Act on {count, plural, one {# user} other {# users}}' }),
};

/** The person or object of a row. */
export function titleOf({ opens, name, count }: StartRow): string {
  const title = titles[opens];
  return title === undefined ? (name ?? t`Unknown`) : fill(title, { count: count ?? 0 });
}

/** Why the row is listed, with the reported problem. In `changed`, words are events first. */
export function reasonOf({ what, by, to, types }: StartRow, section: SectionName): string {
  const event = actSentence({ kind: what, from: null, to });
  const isEvent = section === 'changed' && event.text.id !== what;
  const word = what === 'due' && by !== null ? 'dueHeld' : what;
  const text = isEvent ? event.text : (reasons[word] ?? event.text);
  const reason = fill(text, { actor: by ?? '', to: event.to });
  return [reason, ...types.map((type) => t(reportTypeWords[type]))].join(' · ');
}

const pages = { case: '/cases/', report: '/reports/', appeal: '/appeals/', user: '/users/', bulkAct: '/start?act=' };

/** The page that a row opens. */
export function addressOf({ opens, _id: id }: StartRow): string {
  if (opens === 'pictures') return '/queue/pictures';
  return opens === 'approvals' ? '/team' : `${pages[opens]}${id ?? ''}`;
}

/** The keyboard shortcuts of the page. */
export const startKeys: KeyList = [
  ['j', msg`Next row`],
  ['k', msg`Previous row`],
  ['Enter', msg`Open the row`],
  ['/', msg`Search`],
  ['Ctrl K', msg`Search and commands`],
  ['?', msg`Show these keys`],
];
