import { sql } from 'kysely';
import {
  type Funnel,
  funnelSteps,
  type FunnelWindow,
  funnelWindowNames,
  funnelWindows,
  type Retention,
  retentionMonths,
} from '#contract/insights/cohorts.ts';
import { insightGenders, type InsightGender, smallestGroup } from '#contract/insights/series.ts';
import type { Db } from '#platform/db/db.ts';
import { groupsShown } from '#platform/db/small-groups.policy.ts';
import { refuseFuture } from '#platform/http/app-error.ts';
import { dayOf } from '#platform/process/clock.ts';
import { allPeopleIn, type CohortRow, type Figures, figuresOf, peopleIn } from './cohorts.policy.ts';
import { daysAfter, monthOf, monthsAfterMonth, monthsBetween } from './days.ts';
import { readCounted } from './roll-up.ts';
import { genderKey } from './series.reads.ts';

/** The counts of steps and months after joining, for the cohorts from a month to another one. */
async function cohortRows(db: Db, from: string, to: string, isStep: 'funnel' | 'retention'): Promise<CohortRow[]> {
  const steps = isStep === 'funnel' ? funnelSteps : ['joined', 'active'];
  const { rows } = await sql<Omit<CohortRow, 'people'> & { people: string }>`
    select month, step, gender, elapsed, sum(people) as people from insight_cohort
    where month between ${from}::date and ${to}::date and step = any (${steps}::text[]) group by 1, 2, 3, 4`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, people: Number(row.people) }));
}

/** The months in which members joined, newest first. */
async function monthsWithMembers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    with recursive known as (
      (select month from insight_cohort order by month desc limit 1)
      union all
      select (select c.month from insight_cohort c where c.month < known.month order by c.month desc limit 1)
      from known where known.month is not null
    ) select month from known where month is not null`.execute(db);
  return rows.map(({ month }) => month);
}

/** The rows of everyone or of one gender. Empty if too few of them joined, or if the others would reveal a group that is too small. */
function shownRows(rows: readonly CohortRow[], gender?: InsightGender): readonly CohortRow[] {
  const joined = rows.filter(({ step }) => step === 'joined');
  if (gender === undefined) return allPeopleIn(joined) < smallestGroup ? [] : rows;
  const isShown = groupsShown([{ names: ['gender'], rows: joined, peopleIn: allPeopleIn }]);
  const key = genderKey(gender);
  return isShown(['gender'], { gender: key }) ? rows.filter((row) => row.gender === key) : [];
}

const windowAt: FunnelWindow[] = ['week', 'month', 'ever'];

/** The figures of a step by window: within a month includes within a week. Null for groups that are not shown. */
function windowsOf(figures: Figures, isShown: boolean, gender?: string): Record<FunnelWindow, number | null> {
  const within = (window: FunnelWindow) => (isShown ? figures(windowAt.indexOf(window), gender) : null);
  return Object.fromEntries(funnelWindowNames.map((name) => [name, within(name)])) as Record<
    FunnelWindow,
    number | null
  >;
}

/** The windows that are not over for the last members who joined in a month. */
function unfinishedWindows(month: string, counted: string): FunnelWindow[] {
  const lastDay = daysAfter(monthsAfterMonth(month, 1), -1);
  return funnelWindowNames.filter((name) => {
    const days = funnelWindows[name];
    return days === null || daysAfter(lastDay, days) >= counted;
  });
}

/** How many members who joined in a month reached each step; without a month, in the newest. 400 for a month in the future. */
export async function readFunnel(db: Db, { month: asked }: { month?: string | undefined }, now: Date): Promise<Funnel> {
  if (asked !== undefined) refuseFuture('month', asked, now);
  const counted = await readCounted(db);
  const months = await monthsWithMembers(db);
  const month = asked === undefined ? (months[0] ?? monthOf(dayOf(new Date(counted.countedAt ?? 0)))) : `${asked}-01`;
  const rows = await cohortRows(db, month, month, 'funnel');
  const isShown = (gender?: InsightGender) => shownRows(rows, gender).length > 0;
  const genders = insightGenders.filter((gender) =>
    rows.some((row) => row.step === 'joined' && row.gender === genderKey(gender)),
  );
  return {
    month: month.slice(0, 7),
    months: months.map((each) => each.slice(0, 7)),
    unfinished: unfinishedWindows(month, dayOf(new Date(counted.countedAt ?? 0))),
    steps: funnelSteps.map((step) => {
      const figures = figuresOf(rows.filter((row) => row.step === step));
      return {
        step,
        all: windowsOf(figures, isShown()),
        genders: genders.map((gender) => ({ gender, ...windowsOf(figures, isShown(gender), genderKey(gender)) })),
      };
    }),
    ...counted,
  };
}

/** Who was active in the months after joining, newest cohort first. */
export async function readRetention(db: Db, { gender }: { gender?: InsightGender | undefined }): Promise<Retention> {
  const counted = await readCounted(db);
  const today = dayOf(new Date(counted.countedAt ?? 0));
  const first = monthsAfterMonth(today, 1 - retentionMonths);
  const byMonth = Map.groupBy(await cohortRows(db, first, monthOf(today), 'retention'), ({ month }) => month);
  const cohorts = [...byMonth]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, rows]) => {
      const shown = shownRows(rows, gender);
      const key = gender === undefined ? undefined : genderKey(gender);
      const activeAt = (after: number) =>
        figuresOf(rows.filter(({ step, elapsed }) => step === 'active' && elapsed === after))(after, key);
      const active = Array.from({ length: monthsBetween(month, today) + 1 }, (_, after) => ({
        people: shown.length === 0 ? null : activeAt(after),
        isOver: monthsAfterMonth(month, after + 1) <= today,
      }));
      const joined = shown.length === 0 ? null : peopleIn(shown, ({ step }) => step === 'joined');
      return { month: month.slice(0, 7), joined, active };
    });
  return { cohorts, ...counted };
}
