import type { BodyInput } from '#contract/endpoint.ts';
import type { createReport } from '#contract/reports.ts';
import { type ReportType, reportTypes } from '#contract/report.ts';

/** The form of a new report as it is typed. */
export interface ReportFormValues extends Record<string, string | boolean> {
  problem_type: string;
  description: string;
  mayBeMinor: boolean;
  hideFromEachOther: boolean;
}

/** What a report is about: a person, one picture of theirs, or with null nobody. */
export interface ReportSubject {
  userId: string | null;
  pictureId: string | null;
}

/** What people are most often reported for. */
const typesOfPeople: readonly ReportType[] = ['Harassment', 'Inappropriate Content', 'Other'];

/** The types to choose among: about somebody those that concern people come first. */
export function typesFor({ userId }: ReportSubject): readonly ReportType[] {
  if (userId === null) return reportTypes;
  return [...typesOfPeople, ...reportTypes.filter((type) => !typesOfPeople.includes(type))];
}

/** The form before anything is typed; about a picture its type is chosen already. */
function blankForm({ pictureId }: ReportSubject): ReportFormValues {
  const problem_type: ReportType | '' = pictureId === null ? '' : 'Inappropriate Content';
  return { problem_type, description: '', mayBeMinor: false, hideFromEachOther: true };
}

/** The draft's name: one for each person, one for each picture of theirs, and one for reports about nobody. */
export function reportDraft({ userId, pictureId }: ReportSubject): string {
  return ['report', userId ?? '', ...(pictureId === null ? [] : [pictureId])].join(':');
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

/** What is sent: about somebody with the two questions that concern them and the picture that is meant, else without. */
export function bodyOfForm(
  values: ReportFormValues,
  { userId, pictureId }: ReportSubject,
): BodyInput<typeof createReport> {
  const { mayBeMinor, hideFromEachOther, description } = values;
  const problem = { problem_type: values.problem_type as ReportType, description };
  if (userId === null) return problem;
  const about = { ...problem, reportedUser: userId, mayBeMinor, hideFromEachOther };
  return pictureId === null ? about : { ...about, evidence: [{ type: 'picture', id: pictureId }] };
}
