import { startCountMost, startRowsMax, type Start, type StartRow, type StartSection } from '#contract/moderation/start.ts';
import type { AppealLine } from '#contract/moderation/appeals.ts';
import { staleMaxMs } from '../../../platform/db/replicas.ts';
import { appealsToReview } from '../appeals/reads.ts';
import { escalatedCases, heldCases, lateCases, openedCases, soonAt } from './cases.reads.ts';
import { caseChanges, endedRequests, memberAnswers, newNotes } from './changes.reads.ts';
import { approvalsPart, picturesPart, runningActs } from './others.reads.ts';
import { assignedReports, reportsPart, unansweredReports } from './reports.reads.ts';
import { appealRow, newest, sectionOf, type StartPart, type StartReader } from './rows.ts';
import { seenUntil } from './visit.ts';

const appealsPart = (appeals: readonly AppealLine[], what: StartRow['what']): StartPart => ({
  rows: appeals.slice(0, startRowsMax).map((line) => appealRow(line, what)),
  count: appeals.length,
  lists: ['appeals'],
});

/** What several sections share: each of these reports and appeals is in the section where it is most pressing. */
async function readShared(reader: StartReader) {
  const { db, viewer, now } = reader;
  const [assigned, unanswered, appeals] = await Promise.all([
    assignedReports(reader),
    unansweredReports(reader),
    appealsToReview(db, viewer, startCountMost, now),
  ]);
  const soon = soonAt(now).toISOString();
  const isLate = ({ dueAt }: AppealLine) => dueAt !== null && dueAt < soon;
  return {
    assigned,
    unanswered,
    lateAppeals: appeals.filter(isLate),
    otherAppeals: appeals.filter((line) => !isLate(line)),
  };
}

type Shared = Awaited<ReturnType<typeof readShared>>;

/** What the viewer holds or opened, and the reports assigned to them that wait for the member. */
async function mineOf(reader: StartReader, { assigned: found }: Shared): Promise<StartSection> {
  const reports = reportsPart(reader, { found, isPressing: false, what: 'assigned', list: 'myReports' });
  return sectionOf(await Promise.all([heldCases(reader), reports, openedCases(reader)]));
}

/** What is overdue or due soon in what the viewer's role may see, without what is theirs already. */
async function dueOf(reader: StartReader, { unanswered: found, lateAppeals }: Shared): Promise<StartSection> {
  const reports = reportsPart(reader, { found, isPressing: true, what: 'lateReport', list: 'dueReports' });
  return sectionOf(await Promise.all([lateCases(reader), reports, appealsPart(lateAppeals, 'lateAppeal')]));
}

/** What only the viewer, or someone of their role, can bring further. */
async function waitingOf(reader: StartReader, shared: Shared): Promise<StartSection> {
  const { assigned, unanswered, otherAppeals } = shared;
  const replies = { found: assigned, isPressing: true, what: 'reply', list: 'myReports' } as const;
  const fresh = { found: unanswered, isPressing: false, what: 'newReport', list: 'newReports' } as const;
  return sectionOf(
    await Promise.all([
      appealsPart(otherAppeals, 'appeal'),
      escalatedCases(reader),
      reportsPart(reader, replies),
      reportsPart(reader, fresh),
      picturesPart(reader),
      approvalsPart(reader),
      runningActs(reader),
    ]),
  );
}

/** What others changed in matters of the viewer after a time. */
async function changedOf(reader: StartReader, since: Date): Promise<StartSection> {
  const parts = [caseChanges, memberAnswers, newNotes, endedRequests].map((read) => read(reader, since));
  return sectionOf(await Promise.all(parts), newest);
}

/** The start page of a member of staff. Each part leaves out what they are a party to, and what their role may not read. */
export async function startPage(reader: StartReader): Promise<Start> {
  const { db, viewer, now } = reader;
  const [shared, since] = await Promise.all([readShared(reader), seenUntil(db, viewer, now)]);
  const [mine, due, waiting, changed] = await Promise.all([
    mineOf(reader, shared),
    dueOf(reader, shared),
    waitingOf(reader, shared),
    changedOf(reader, since),
  ]);
  // What was read may be as old as a replica is allowed to be.
  const asOf = new Date(now.getTime() - staleMaxMs).toISOString();
  return { mine, due, waiting, changed, since: since.toISOString(), asOf };
}
