import { priorityOfType, type ReportType } from '#contract/moderation/reports.ts';
import { answerWithinHours, type ReportSource } from '#contract/moderation/staff-reports.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { before, hourMs } from '../calendar.ts';
import { colleague, demoMember, unreportedNumbers } from '../members/member.ts';
import { demoPictures } from '../pictures/rows.ts';
import { type DemoReport, type DemoSize, event, frozen, reportId, say, step } from './report.ts';

/**
 * Cases and messages started by staff: the source, the position of the person among those without reports, the role of the starter (empty
 * for a report by the person), the type, how many hours ago it was started, after how many more it was decided or answered, the decision,
 * the text, the answer.
 */
const begun = `
own_initiative|0|moderator|Inappropriate Content|130|5|resolved|Offers an investment and asks for money in the profile. Found among the new profiles.
own_initiative|1|moderator|Inappropriate Content|60|12|rejected|Seems to advertise a business of photography. Please check whether that is all there is.
own_initiative|2|senior|Inappropriate Content|2|||Leads members to paid chats on another page. The same address was in two banned profiles.
staff_message|0|support|Account Issue|50|20||Someone signed in to your account from a new country yesterday. Was that you?|Yes, I am travelling for work. Thank you for asking.
staff_message|1|billing|Payment Problem|26|||You wrote on a postcard that your voucher does not work. Which code is on it?
notice|0||Payment Problem|20|||My premium ended a day early. Can you check?`;
/** Far from the numbers of the other reports, so that their ids never collide. */
const firstNumber = 1_000_000;

/** The cases that staff opened themselves, the messages they wrote first, and the results. */
export function reportsByStaff(size: DemoSize): DemoReport[] {
  if (size.members <= Math.max(...unreportedNumbers)) return [];
  return begun
    .trim()
    .split('\n')
    .map((line, index) => reportByStaff(line.split('|'), reportId(firstNumber + index), size));
}

function reportByStaff(line: readonly string[], id: string, { hasPictures, now }: DemoSize): DemoReport {
  const [source, place, role, type, hours, hoursLater, status, description = '', answer] = line;
  const number = unreportedNumbers[Number(place)] ?? 0;
  const person = demoMember(number, now);
  const opener = role === '' ? null : colleague(role as StaffRole, now);
  const isCase = source === 'own_initiative';
  const openedAt = before(now, Number(hours) * hourMs);
  const later = before(now, (Number(hours) - Number(hoursLater)) * hourMs);
  // A message counts as a report once it is answered.
  const createdAt = answer === undefined ? openedAt : later;
  const priority = priorityOfType[type as ReportType];
  const shown = hasPictures ? demoPictures(number, person, now).filter(({ state }) => state === 'approved') : [];
  const report: DemoReport = {
    id,
    source: source as ReportSource,
    opener,
    openedAt,
    reporter: isCase && opener !== null ? opener : person,
    reported: isCase ? person : null,
    type: type as ReportType,
    description,
    mayBeMinor: false,
    firstPriority: priority,
    priority,
    status: 'pending',
    createdAt,
    updatedAt: openedAt,
    dueAt: new Date(createdAt.getTime() + answerWithinHours[priority] * hourMs),
    firstRespondedAt: null,
    awaitsStaff: opener === null,
    replyCount: 0,
    unreadSince: isCase || opener === null ? null : openedAt,
    evidence: isCase ? frozen(person, shown, openedAt) : null,
    replies: [],
    events: [event(openedAt, 'filed', opener ?? person, { to: priority })],
  };
  if (answer !== undefined) say(report, person, answer, later);
  if (opener !== null && (status === 'resolved' || status === 'rejected')) step(report, opener, status, later);
  return report;
}
