import { createHash } from 'node:crypto';
import {
  priorityOfType,
  type ReportPriority,
  type ReportStatus,
  type ReportType,
} from '#contract/moderation/reports.ts';
import { answerWithinHours, type ReportSource } from '#contract/moderation/staff-reports.ts';
import type { Evidence } from '#contract/moderation/report-file.ts';
import { noDetails } from '#contract/profiles/profile-details.ts';
import { ageOn } from '#platform/process/clock.ts';
import { before, dayMs, hourMs, latest, minuteMs } from '../calendar.ts';
import { demoId } from '../members/id.ts';
import type { DemoMember } from '../members/demo-member.ts';
import { demoMember, namedMemberCount, unreportedNumbers } from '../members/member.ts';
import { demoPictures, frozenPicture, type DemoPicture } from '../pictures/rows.ts';
import { pictureKey } from '../pictures/storage.ts';
import { randomOf, type Random } from '../random.ts';
import { awkwardReportTexts, newReports, reporterAnswers, reportTexts, staffAnswers, staffNotes } from './texts.ts';

export interface DemoReply {
  message: string;
  isInternal: boolean;
  author: DemoMember;
  at: Date;
}

export interface DemoEvent {
  at: Date;
  kind: 'filed' | 'raised' | 'priority' | 'status' | 'reply' | 'note';
  /** Null for the system. */
  actor: DemoMember | null;
  from: string | null;
  to: string | null;
  reason: string | null;
  wasFirstResponse: boolean;
}

/** Everything that is written to the database about one generated report. */
export interface DemoReport {
  id: string;
  source: ReportSource;
  /** The colleague who opened the case or wrote first, and when. */
  opener: DemoMember | null;
  openedAt: Date;
  /** For a case that staff opened: the opener. */
  reporter: DemoMember;
  reported: DemoMember | null;
  type: ReportType;
  description: string;
  mayBeMinor: boolean;
  firstPriority: ReportPriority;
  priority: ReportPriority;
  status: ReportStatus;
  createdAt: Date;
  updatedAt: Date;
  dueAt: Date;
  firstRespondedAt: Date | null;
  awaitsStaff: boolean;
  replyCount: number;
  unreadSince: Date | null;
  evidence: { content: string; hash: Buffer; pictureKeys: string[] } | null;
  replies: DemoReply[];
  events: DemoEvent[];
}

const stream = 7;
const shownDays = 120;
const adminNumber = 0;
const moderatorNumber = 1;
/** The free demo account, which should have reports to show. */
const adaNumber = 2;
const reportsByAda = 4;
const answeredForAda = 1;
/**
 * A member reported by several people: their number among members without a demo account, and the share of reports about them (one in how
 * many).
 */
const repeater = 7;
const repeaterEvery = 13;

const typesByWeight: readonly (readonly [weight: number, type: ReportType])[] = [
  [3, 'Harassment'],
  [2, 'Inappropriate Content'],
  ...(['Technical Issue', 'Bug Report', 'Account Issue', 'Payment Problem', 'Other'] as const).map(
    (type) => [1, type] as const,
  ),
];

/**
 * The properties of a demo: how many members, whether they have pictures, and the time from which all others are
 * counted back.
 */
export interface DemoSize {
  members: number;
  hasPictures: boolean;
  now: Date;
}

/** The largest number of reports, because a longer queue would show nothing new. */
const mostReports = 1200;
const reportsPerMember = 0.12;

/** How many of the reports are old enough that most are closed. */
const oldReportCount = (members: number) => Math.min(mostReports, Math.round(members * reportsPerMember));

/** The number of reports in a demo of that many members; the last ones are new, so that the queue has open cases. */
export function demoReportCount(members: number): number {
  return oldReportCount(members) + Math.min(newReports.length, Math.floor(members / 20));
}

const newWithinDays = 1.5;

/** Report `number` (from 0) in a demo of that size, always the same. */
export function demoReport(number: number, { members, hasPictures, now }: DemoSize): DemoReport {
  const recent = newReports[number - oldReportCount(members)];
  const random = randomOf(number, stream);
  const unnamed = members - namedMemberCount;
  const anyMember = () => (unnamed > 0 ? namedMemberCount + random.below(unnamed) : random.below(members));
  const someMember = () => {
    const drawn = anyMember();
    return unreportedNumbers.includes(drawn) ? drawn - unreportedNumbers.length : drawn;
  };
  const person = (at: number) => demoMember(at, now);
  const reporter = person(number < reportsByAda ? adaNumber : someMember());
  const isAboutRepeater = recent === undefined && number % repeaterEvery === 5 && unnamed > repeater;
  const drawn = random.weighted(typesByWeight);
  const type = recent?.type ?? (isAboutRepeater ? 'Harassment' : drawn);
  const isAboutMember = recent !== undefined || type === 'Harassment' || type === 'Inappropriate Content';
  const drawnNumber = isAboutMember ? someMember() : null;
  const reportedNumber = isAboutRepeater ? namedMemberCount + repeater : drawnNumber;
  const reported = reportedNumber === null ? null : person(reportedNumber);
  const pictures =
    reported === null || reportedNumber === null || !hasPictures
      ? []
      : demoPictures(reportedNumber, reported, now).filter(({ state }) => state === 'approved');
  const mayBeMinor = recent === undefined ? isAboutMember && random.chance(0.05) : recent.mayBeMinor;
  const firstPriority = mayBeMinor ? 'critical' : priorityOfType[type];
  const isRaised = recent === undefined && reported !== null && firstPriority === 'high' && random.chance(0.12);
  const priority = isRaised ? 'critical' : firstPriority;
  // Most reports are recent.
  const ageDays = (recent === undefined ? shownDays : newWithinDays) * random.next() ** 2.5;
  const joined = latest(reporter.createdAt, reported?.createdAt ?? reporter.createdAt);
  const createdAt = latest(
    before(now, ageDays * dayMs + minuteMs),
    new Date(Math.min(Number(joined), Number(now) - minuteMs)),
  );
  const awkward =
    recent === undefined && number % 17 === 3
      ? awkwardReportTexts[Math.floor(number / 17) % awkwardReportTexts.length]
      : undefined;
  const report: DemoReport = {
    id: reportId(number),
    source: 'notice',
    opener: null,
    openedAt: createdAt,
    reporter,
    reported: reported?.id === reporter.id ? null : reported,
    type,
    description: recent?.text ?? awkward ?? random.pick(reportTexts[type]),
    mayBeMinor,
    firstPriority,
    priority,
    status: 'pending',
    createdAt,
    updatedAt: createdAt,
    dueAt: new Date(createdAt.getTime() + answerWithinHours[priority] * hourMs),
    firstRespondedAt: null,
    awaitsStaff: true,
    replyCount: 0,
    unreadSince: null,
    evidence: reported === null ? null : frozen(reported, pictures, createdAt),
    replies: [],
    events: [event(createdAt, 'filed', reporter, { to: firstPriority })],
  };
  if (isRaised) {
    const reason = 'Reported by another member within 30 days';
    report.events.push(event(createdAt, 'raised', null, { from: firstPriority, to: priority, reason }));
  }
  const moderator = person(moderatorNumber);
  if (recent === undefined) workOn(report, random, now, [person(adminNumber), moderator]);
  else answerNew(report, random, { now, by: moderator, emergency: recent.emergency });
  if (number === answeredForAda)
    say(report, moderator, staffAnswers[1], latest(report.updatedAt, before(now, 20 * minuteMs)));
  return report;
}

/** Adds what staff and the reporter did since then; older reports have more. */
function workOn(report: DemoReport, random: Random, now: Date, staff: readonly DemoMember[]): void {
  const hoursOld = (Number(now) - Number(report.createdAt)) / hourMs;
  const isTouched = random.chance(hoursOld > 48 ? 0.97 : hoursOld > 6 ? 0.6 : 0.2);
  if (!isTouched) return;
  const member = random.pick(staff);
  const paceHours = answerWithinHours[report.priority] * (0.1 + random.next() * (random.chance(0.15) ? 3 : 0.9));
  let at = new Date(Math.min(Number(report.createdAt) + paceHours * hourMs, Number(now) - minuteMs / 2));
  const later = (share: number) => new Date(Number(at) + (Number(now) - Number(at)) * share);
  if (random.chance(0.3)) note(report, member, random.pick(staffNotes), at);
  if (random.chance(0.75)) {
    say(report, member, random.pick(staffAnswers), at);
    if (random.chance(0.4)) {
      at = later(random.next() * 0.3);
      say(report, report.reporter, random.pick(reporterAnswers), at);
    }
  }
  step(report, member, 'in_progress', at);
  if (!random.chance(hoursOld > 72 ? 0.95 : 0.4)) return;
  at = later(random.next() * 0.5);
  step(report, member, random.chance(0.78) ? 'resolved' : 'rejected', at);
  if (random.chance(0.35)) step(report, random.pick(staff), 'closed', later(random.next() * 0.5));
}

/** Keeps a new report open; some get an answer, and an emergency becomes critical. */
function answerNew(
  report: DemoReport,
  random: Random,
  { now, by, emergency }: { now: Date; by: DemoMember; emergency: string | undefined },
): void {
  const at = new Date((Number(report.createdAt) + Number(now)) / 2);
  if (emergency !== undefined) {
    report.events.push(event(at, 'priority', by, { from: report.priority, to: 'critical', reason: emergency }));
    report.priority = 'critical';
    report.updatedAt = at;
  } else if (random.chance(0.3)) {
    say(report, by, staffAnswers[0], at);
    step(report, by, 'in_progress', at);
  }
}

function respond(report: DemoReport, at: Date): boolean {
  const isFirst = report.firstRespondedAt === null;
  report.firstRespondedAt ??= at;
  report.updatedAt = at;
  return isFirst;
}

/** Adds a reply. */
export function say(report: DemoReport, author: DemoMember, message: string, at: Date): void {
  const isStaff = author.staffRole !== null;
  report.replies.push({ message, isInternal: false, author, at });
  report.events.push(event(at, 'reply', author, {}));
  report.replyCount += 1;
  report.awaitsStaff = !isStaff;
  report.updatedAt = at;
  if (isStaff) {
    respond(report, at);
    report.unreadSince ??= at;
  } else {
    report.unreadSince = null;
  }
}

function note(report: DemoReport, author: DemoMember, message: string, at: Date): void {
  report.replies.push({ message, isInternal: true, author, at });
  report.events.push(event(at, 'note', author, {}));
}

/** Changes the status. */
export function step(report: DemoReport, actor: DemoMember, to: ReportStatus, at: Date): void {
  const wasFirstResponse = respond(report, at);
  report.events.push({ ...event(at, 'status', actor, { from: report.status, to }), wasFirstResponse });
  report.status = to;
}

/** An event in the history of a report. */
export function event(
  at: Date,
  kind: DemoEvent['kind'],
  actor: DemoMember | null,
  more: Partial<Pick<DemoEvent, 'from' | 'to' | 'reason'>>,
): DemoEvent {
  return { at, kind, actor, from: null, to: null, reason: null, wasFirstResponse: false, ...more };
}

/** A frozen copy of a profile, as evidence. */
export function frozen(
  { firstName, gender, genderText, birthDate, bio, place, details }: DemoMember,
  pictures: readonly DemoPicture[],
  at: Date,
): DemoReport['evidence'] {
  const profile: Required<NonNullable<Evidence['profile']>> = {
    firstName,
    gender,
    genderText,
    age: birthDate === null ? null : ageOn(birthDate, at),
    bio,
    location: place === null ? null : { city: place.city, country: place.country },
    photoVerifiedAt: null,
    details: { ...noDetails, ...details },
  };
  const content = JSON.stringify({ profile, pictures: pictures.map(frozenPicture) });
  const hash = createHash('sha256').update(content, 'utf8').digest();
  return { content, hash, pictureKeys: pictures.map(pictureKey) };
}

/** The identifier of report `number`; its last six characters, which screens show, are unique. */
export function reportId(number: number): string {
  const spread = demoId(number);
  return `${spread.slice(9, 13)}0000-${spread.slice(14, 18).replace(/^./, '0')}-4${spread.slice(15, 18)}-8000-0000${spread.slice(0, 8)}`;
}
