import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import type { Durations } from '#contract/moderation/cases.ts';
import { permissions } from '#contract/roles.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachPage } from '#platform/jobs/turns.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { inLanguage } from '#platform/process/log.ts';
import { longDate, textOf } from '#platform/texts.ts';
import { byOthers, hiddenIds } from '#platform/session/access.ts';
import { durationText } from '../reports/policy.ts';
import { timesBetween } from './times.reads.ts';

const lines: Record<string, (count: string) => MessageDescriptor> = {
  casesLate: (count) => msg`${plural({ count }, { one: '1 case is overdue.', other: '{count} cases are overdue.' })}`,
  casesSoon: (count) =>
    msg`${plural({ count }, { one: '1 case is due within the hour.', other: '{count} cases are due within the hour.' })}`,
  appealsLate: (count) =>
    msg`${plural({ count }, { one: '1 appeal is overdue.', other: '{count} appeals are overdue.' })}`,
  appealsSoon: (count) =>
    msg`${plural({ count }, { one: '1 appeal is due within the hour.', other: '{count} appeals are due within the hour.' })}`,
};

const labels = {
  opened: msg`Cases opened`,
  decided: msg`Cases decided`,
  late: msg`Answers and decisions after their deadline`,
  response: msg`First answer`,
  decision: msg`Decision`,
  appeals: msg`Appeals submitted`,
  overturned: msg`Appeals overturned`,
} as const;

/** Mails to staff about their work. They contain only numbers; who is reported and why can be read in the app. */
export const deadlineMails = {
  casesDue: (data, publicUrl) => {
    const hasCases = [data['casesLate'], data['casesSoon']].some((count) => count !== '0');
    const path = data['casesLate'] === '0' ? '/cases' : '/cases?view=breached';
    return {
      subject: msg`Deadlines need attention`,
      heading: msg`Deadlines need attention`,
      paragraphs: Object.entries(lines).flatMap(([key, text]) => {
        const count = data[key] ?? '0';
        return count === '0' ? [] : [text(count)];
      }),
      button: hasCases
        ? { text: msg`Open the cases`, url: new URL(path, publicUrl).href }
        : { text: msg`Open the appeals`, url: new URL('/appeals', publicUrl).href },
    };
  },
  casesWeek: (data, publicUrl) => ({
    subject: msg`Cases in the week of ${{ week: data['week'] }}`,
    heading: msg`Cases in the week of ${{ week: data['week'] }}`,
    paragraphs: [
      msg`Overdue now: ${{ overdue: data['overdue'] }}`,
      ...Object.entries(labels).map(
        ([key, label]) =>
          msg`${{ label: textOf(label) }}: ${{ figure: data[key] }} (the week before: ${{ before: data[`${key}Before`] }})`,
      ),
    ],
    button: { text: msg`Open the cases`, url: new URL('/cases', publicUrl).href },
  }),
} satisfies MailTemplates;

const openAppeal = sql`state in ('submitted', 'under_review')`;

/** A condition: it is due within the hour or overdue, and no reminder has mentioned that yet. */
function isNew(dueAt: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`(${dueAt} <= ${secondsAfter(now, 3600)}::timestamptz and (reminded_at is null
    or reminded_at < ${dueAt} - interval '1 hour' or (${dueAt} <= ${now}::timestamptz and reminded_at < ${dueAt})))`;
}

/** A case or appeal that staff have to be reminded of. */
interface NewlyDue {
  kind: 'case' | 'appeal';
  id: string;
}

const readAtOnce = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/** The newly due rows after a row. */
async function newlyDue(db: Db, after: NewlyDue | undefined, now: Date): Promise<NewlyDue[]> {
  const { rows } = await sql<NewlyDue>`
    select kind, id from (
      select 'case' as kind, id from moderation_case where stage <> 'decided' and ${isNew(sql`queue_at`, now)}
      union all
      select 'appeal', id from appeal where ${openAppeal} and ${isNew(sql`due_at`, now)}
    ) due
    where (kind, id) > (${after?.kind ?? ''}, ${after?.id ?? noId}::uuid) order by kind, id limit ${readAtOnce}`.execute(
    db,
  );
  return rows;
}

/** Records that staff are being reminded of those rows that are still newly due. */
async function noteReminder(tx: Db, due: NewlyDue[], now: Date): Promise<void> {
  const idsOf = (which: NewlyDue['kind']) => due.filter(({ kind }) => kind === which).map(({ id }) => id);
  await sql`
    update moderation_case set reminded_at = ${now} where id in (
      select id from moderation_case where id = any (${idsOf('case')}::uuid[]) and stage <> 'decided'
        and ${isNew(sql`queue_at`, now)} order by id for no key update)`.execute(tx);
  await sql`
    update appeal set reminded_at = ${now} where id in (
      select id from appeal where id = any (${idsOf('appeal')}::uuid[]) and ${openAppeal}
        and ${isNew(sql`due_at`, now)} order by id for no key update)`.execute(tx);
}

interface Reminded {
  id: string;
  casesLate: number;
  casesSoon: number;
  appealsLate: number;
  appealsSoon: number;
}

/**
 * The people who can act on something newly due, with the numbers of everything they can act on. People who lead can act on everything
 * except appeals against their own decisions. Others who handle cases can act on what is neither escalated nor assigned to a colleague. No
 * one can act on cases to which they are a party.
 */
async function remindedStaff(tx: Db, now: Date): Promise<Reminded[]> {
  const until = secondsAfter(now, 3600);
  const [handlers, leads] = [permissions['cases.handle'], permissions['cases.lead']];
  const { rows } = await sql<Reminded>`
    with due as (
      select 'case' as kind, id as case_id, person_id, holder_id, stage = 'escalated' as is_senior, '{}'::uuid[] as deciders,
        queue_at as due_at, reminded_at from moderation_case
      where stage <> 'decided' and queue_at <= ${until}::timestamptz
      union all
      select 'appeal', o.case_id, c.person_id, null, true, o.decided_by || o.openers, o.due_at, o.reminded_at
      from appeal o join moderation_case c on c.id = o.case_id
      where ${openAppeal} and o.due_at <= ${until}::timestamptz
    )
    select a.id,
      count(*) filter (where kind = 'case' and due_at <= ${now}::timestamptz)::int as "casesLate",
      count(*) filter (where kind = 'case' and due_at > ${now}::timestamptz)::int as "casesSoon",
      count(*) filter (where kind = 'appeal' and due_at <= ${now}::timestamptz)::int as "appealsLate",
      count(*) filter (where kind = 'appeal' and due_at > ${now}::timestamptz)::int as "appealsSoon"
    from account a join due on a.staff_role = any (${leads}::text[]) or not is_senior and coalesce(holder_id, a.id) = a.id
      -- The offset keeps it from being computed again for each case.
      cross join lateral (select ${hiddenIds({ accountId: sql`a.id` }, 'case')} as cases offset 0) own
    where a.staff_role = any (${handlers}::text[]) and a.is_active and a.leaving_since is null
      and ${byOthers({ accountId: sql`a.id` }, sql`due.deciders`)} and due.case_id <> all (own.cases)
    group by a.id having bool_or(due.reminded_at = ${now}::timestamptz)`.execute(tx);
  return rows;
}

/** Mails staff what is overdue or due within the hour, if something has become due since the last reminder. */
export async function remindStaff(db: Db, now: Date): Promise<void> {
  const remind = (due: NewlyDue[]) =>
    inTransaction(db, async (tx) => {
      await noteReminder(tx, due, now);
      for (const { id, ...counts } of await remindedStaff(tx, now)) {
        const data = Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, String(count)]));
        await mailLater(tx, { accountId: id, template: 'casesDue', data });
      }
    });
  await eachPage((after: NewlyDue | undefined) => newlyDue(db, after, now), remind, {
    round: 'cases.remind',
    keyOf: ({ kind, id }) => `${kind} ${id}`,
  });
}

/** A mail to one member of staff. */
export const staffMailSchema = z.object({
  accountId: z.string(),
  template: z.enum(Object.keys(deadlineMails) as (keyof typeof deadlineMails)[]),
  data: z.record(z.string(), z.string()),
});
type StaffMail = z.infer<typeof staffMailSchema>;

/**
 * Each mail is a job, so that one that can't be written doesn't block the others. A later mail of the same kind replaces one that is
 * waiting.
 */
async function mailLater(tx: Db, mail: StaffMail): Promise<void> {
  await addJob(tx, 'cases.mailStaff', mail, { jobKey: `${mail.template} ${mail.accountId}` });
}

/** Runs such a job; does nothing if the account is no longer active staff. */
export async function mailStaff(db: Db, { accountId, template, data }: StaffMail, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select('email')
      .where('id', '=', accountId)
      .where('staff_role', 'is not', null)
      .where('is_active', '=', true)
      .where('leaving_since', 'is', null)
      .executeTakeFirst();
    if (account !== undefined) await queueMail(tx, { to: account.email, accountId, template, data }, now);
  });
}

const daySeconds = 86_400;

/** Midnight (UTC) of the last Monday at or before `now`. */
export function mondayOf(now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return secondsAfter(new Date(midnight), -((now.getUTCDay() + 6) % 7) * daySeconds);
}

const timesText = ({ medianMs, p90Ms }: Durations) =>
  medianMs === null || p90Ms === null
    ? textOf(msg`none`)
    : textOf(msg`median ${{ median: durationText(medianMs) }}, 9 of 10 within ${{ p90: durationText(p90Ms) }}`);

/** Counts from `from` (included) until `until` (excluded). */
async function figuresBetween(db: Db, from: Date, until: Date) {
  const isWithin = (at: string) =>
    sql`${sql.ref(at)} >= ${from}::timestamptz and ${sql.ref(at)} < ${until}::timestamptz`;
  const { rows } = await sql<{ opened: number; appeals: number; answered: number; overturned: number }>`
    select (select count(*) from case_event where kind in ('opened', 'reopened') and ${isWithin('at')})::int as opened,
      (select count(*) from appeal where ${isWithin('submitted_at')})::int as appeals,
      count(*) filter (where state <> 'inadmissible')::int as answered,
      count(*) filter (where state in ('overturned', 'partly_overturned'))::int as overturned
    from appeal where ${isWithin('answered_at')}`.execute(db);
  const { opened, appeals, answered, overturned } = rows[0] ?? { opened: 0, appeals: 0, answered: 0, overturned: 0 };
  const { response, decision } = (await timesBetween(db, from, until))(null);
  return { opened, appeals, answered, overturned, response, decision };
}
type Week = Awaited<ReturnType<typeof figuresBetween>>;

const isEmpty = ({ opened, appeals, answered, response, decision }: Week) =>
  opened + appeals + answered + response.count + decision.count === 0;

/** The figures of a week in the current language. */
function figureWords({ opened, appeals, answered, overturned, response, decision }: Week) {
  return {
    opened: String(opened),
    decided: String(decision.count),
    late: String(response.late + decision.late),
    response: timesText(response),
    decision: timesText(decision),
    appeals: String(appeals),
    overturned:
      answered === 0
        ? textOf(msg`none answered`)
        : textOf(msg`${{ overturned }} of ${{ answered }}, ${{ share: Math.round((100 * overturned) / answered) }} %`),
  } satisfies Record<keyof typeof labels, string>;
}

/** Mails last week's figures, compared with the week before, to leads of the team: once a week, unless there were no cases. */
export async function mailSummary(db: Db, now: Date): Promise<void> {
  const monday = mondayOf(now);
  const [from, before] = [secondsAfter(monday, -7 * daySeconds), secondsAfter(monday, -14 * daySeconds)];
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('cases.summary'))`.execute(tx);
    const { rows: sent } = await sql`
      select from mail where template = 'casesWeek' and created_at >= ${monday}::timestamptz limit 1`.execute(tx);
    if (sent.length > 0) return;
    const last = await figuresBetween(tx, from, monday);
    const { rows } = await sql<{ overdue: number }>`
      select ((select count(*) from moderation_case where stage <> 'decided' and queue_at < ${now}::timestamptz)
        + (select count(*) from appeal where state in ('submitted', 'under_review') and due_at < ${now}::timestamptz))::int as overdue`.execute(
      tx,
    );
    const overdue = rows[0]?.overdue ?? 0;
    if (isEmpty(last) && overdue === 0) return;
    const former = await figuresBetween(tx, before, from);
    const data = () => ({
      week: longDate(from),
      overdue: String(overdue),
      ...figureWords(last),
      ...Object.fromEntries(Object.entries(figureWords(former)).map(([key, text]) => [`${key}Before`, text])),
    });
    const leads = await tx
      .selectFrom('account')
      .select(['id', 'language'])
      .where('staff_role', 'in', permissions['cases.lead'])
      .where('is_active', '=', true)
      .where('leaving_since', 'is', null)
      .execute();
    for (const { id, language } of leads)
      await mailLater(tx, { accountId: id, template: 'casesWeek', data: inLanguage(language, data) });
  });
}
