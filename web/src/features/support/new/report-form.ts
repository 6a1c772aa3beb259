import type { BodyInput } from '#contract/endpoint.ts';
import type { createReport } from '#contract/moderation/reports.ts';
import { type ReportType, reportTypes } from '#contract/moderation/report.ts';
import { isAboutSomebody, type ReportSubject } from './report-subject.ts';

/** The form of a new report as it is typed. */
export interface ReportFormValues extends Record<string, string | boolean> {
  problem_type: string;
  description: string;
  mayBeMinor: boolean;
  hideFromEachOther: boolean;
}

/** What people are most often reported for. */
const typesOfPeople: readonly ReportType[] = ['Harassment', 'Inappropriate Content', 'Other'];

/** The types to choose among: about somebody those that concern people come first. */
export function typesFor(about: ReportSubject): readonly ReportType[] {
  if (!isAboutSomebody(about)) return reportTypes;
  return [...typesOfPeople, ...reportTypes.filter((type) => !typesOfPeople.includes(type))];
}

/** The form before anything is typed; about a picture its type is chosen already. */
function blankForm({ pictureId }: ReportSubject): ReportFormValues {
  const problem_type: ReportType | '' = pictureId === null ? '' : 'Inappropriate Content';
  return { problem_type, description: '', mayBeMinor: false, hideFromEachOther: true };
}

/** The draft's name: one for each person, picture, conversation and message, and one for reports about nobody. */
export function reportDraft({ userId, pictureId, matchId, seq }: ReportSubject): string {
  return ['report', userId ?? '', ...[pictureId, matchId, seq].filter((part) => part !== null)].join(':');
}

/** The form as a draft has it, else blank. */
export function formOfDraft(draft: Record<string, string> | null, about: ReportSubject): ReportFormValues {
  const blank = blankForm(about);
  if (draft === null) return blank;
  return {
    problem_type: draft['problem_type'] ?? blank.problem_type,
    description: draft['description'] ?? '',
    mayBeMinor: draft['mayBeMinor'] === 'true',
    hideFromEachOther: draft['hideFromEachOther'] !== 'false',
  };
}

/** The form as a draft keeps it; null when nothing has been touched. */
export function draftOfForm(values: ReportFormValues, about: ReportSubject): Record<string, string> | null {
  const blank = blankForm(about);
  const isTouched = (Object.keys(blank) as (keyof ReportFormValues)[]).some((name) => values[name] !== blank[name]);
  return isTouched ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])) : null;
}

type Body = BodyInput<typeof createReport>;

/** What of theirs is meant. */
function evidenceOf({ pictureId, matchId, seq }: ReportSubject): NonNullable<Body['evidence']> {
  if (matchId !== null) return [{ type: 'message', id: matchId, ...(seq === null ? {} : { seq }) }];
  return pictureId === null ? [] : [{ type: 'picture', id: pictureId }];
}

/** What is sent: about somebody with the two questions that concern them and what of theirs is meant, else without. */
export function bodyOfForm(values: ReportFormValues, about: ReportSubject): Body {
  const { mayBeMinor, hideFromEachOther, description } = values;
  const problem = { problem_type: values.problem_type as ReportType, description };
  if (!isAboutSomebody(about)) return problem;
  const evidence = evidenceOf(about);
  return {
    ...problem,
    ...(about.userId === null ? {} : { reportedUser: about.userId }),
    ...{ mayBeMinor, hideFromEachOther },
    ...(evidence.length === 0 ? {} : { evidence }),
  };
}
