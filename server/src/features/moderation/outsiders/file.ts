import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { userById, type UserRow } from '../../profiles/public.ts';
import { caseOf, syncCase } from '../work/case-row.ts';
import { noteEmergency } from '../emergencies/note.ts';
import { freeze } from '../reports/evidence.ts';
import { insertCaseReport } from '../reports/file-report.ts';
import { outsiderName } from '../reports/policy.ts';
import { staffActor } from '../reports/report-row.ts';
import type { OutsiderReport } from './outsider-report-row.ts';
import { appealUntil } from '../decisions/links.ts';
import { outsiderToken } from './links.ts';
import { isUrgent, reportOf, targetOf, urgentTypes } from './policy.ts';

const daySeconds = 86_400;

/**
 * How many open reports about one person can come from outside, apart from urgent ones, of which there is one for each type. Further
 * outsider reports are added to the newest of them.
 */
const openReportsMost = 3;

/**
 * How many outsider reports from one mailbox are filed within 24 hours while its address is unconfirmed, so that midnight does not double
 * them. The others wait in the list for staff.
 */
const filedPerDay = 5;

/** The person in an outsider report, and the picture if it names one. */
interface Target {
  accountId: string;
  pictureId?: string;
}

/** The context that filing needs; with `caller`, a colleague chose the person. */
type FilingContext = { tx: Db; deps: Deps; now: Date; caller?: Caller };

/** The account that a URL points to, if there is one. */
async function findTarget(tx: Db, address: string | null): Promise<Target | undefined> {
  const { accountId, pictureKey } = targetOf(address) ?? {};
  if (accountId !== undefined) return { accountId };
  if (pictureKey === undefined) return undefined;
  return await tx
    .selectFrom('picture')
    .select(['account_id as accountId', 'id as pictureId'])
    .where('object_key', '=', pictureKey)
    .where('place', 'is not', null)
    .executeTakeFirst();
}

/** The open report from outside that an outsider report is added to: one with the same content or, if there are enough, the newest. */
async function openReport(tx: Db, personId: string, { type, digest }: OutsiderReport): Promise<string | undefined> {
  // A colleague may have lowered the priority of an urgent report; a later outsider report is then treated as new.
  const isAlike = isUrgent(type)
    ? sql`said.type = ${type} and r.priority = 'critical'`
    : sql`said.type <> all (${urgentTypes}::text[])`;
  const { rows } = await sql<{ id: string; is_same: boolean }>`
    select r.id, exists (select from outsider_notice n where n.digest = ${digest} and n.report_id = r.id) as is_same
    from report r cross join lateral (select type from outsider_notice n where n.report_id = r.id limit 1) said
    where r.reported_id = ${personId}::uuid and r.source = 'outsider' and r.deleted_at is null
      and r.status in ('pending', 'in_progress') and ${isAlike}
    order by r.created_at desc, r.id`.execute(tx);
  const most = isUrgent(type) ? 1 : openReportsMost;
  return rows.find(({ is_same }) => is_same)?.id ?? (rows.length < most ? undefined : rows[0]?.id);
}

/** A new report with the content of an outsider report and a copy of the profile. */
async function newReport(
  context: FilingContext,
  { type: said, body, place }: OutsiderReport,
  { user, pictureId, caseId }: { user: UserRow; pictureId: string | undefined; caseId: string },
): Promise<string> {
  const { tx, now, caller } = context;
  const { type, priority, mayBeMinor = false } = reportOf[said];
  const report = {
    reported_id: user.id,
    problem_type: type,
    description: place === null ? body : `${body}\n\nWhere: ${place}`,
    may_be_minor: mayBeMinor,
    priority,
    case_id: caseId,
    source: 'outsider' as const,
    opened_by_name: outsiderName,
  };
  const id = await insertCaseReport(tx, report, caller === undefined ? {} : staffActor(caller), now);
  await freeze(context, id, user, pictureId === undefined ? [] : [pictureId]);
  return id;
}

/**
 * Adds locked outsider reports with the same content to a person's case. The report has no reporter: colleagues decide it with reasons, and
 * nothing in the case names the author. Returns the case, or null if there is no such account.
 */
export async function fileAbout(
  context: FilingContext,
  outsiderReports: readonly [OutsiderReport, ...OutsiderReport[]],
  { accountId, pictureId }: Target,
): Promise<string | null> {
  const { tx, now } = context;
  const [outsiderReport] = outsiderReports;
  // Locks like filing a report, so that two requests don't both open the case.
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const user = await userById(tx, accountId);
  if (user === undefined) return null;
  const { priority, emergency } = reportOf[outsiderReport.type];
  const caseId = await caseOf(tx, accountId, priority, now);
  const known = await openReport(tx, accountId, outsiderReport);
  const report_id = known ?? (await newReport(context, outsiderReport, { user, pictureId, caseId }));
  const ids = outsiderReports.map(({ id }) => id);
  // What identifies the person must not outlive their account.
  const filed = { report_id, address: null, person: null };
  const reopened = { closed_at: null, closed_by: null, closed_by_name: null };
  await tx
    .updateTable('outsider_notice')
    .set({ ...filed, ...reopened })
    .where('id', 'in', ids)
    .execute();
  await syncCase(context, caseId);
  if (emergency !== undefined) await noteEmergency(tx, { caseId, kind: emergency }, now);
  return caseId;
}

/** Mails a receipt to the author of an outsider report. */
async function sendReceipt({ tx, deps, now }: FilingContext, { id, email, language }: OutsiderReport): Promise<void> {
  if (email === null) return;
  await tx.updateTable('outsider_notice').set({ receipt_at: now }).where('id', '=', id).execute();
  const data = { token: outsiderToken(deps.appealKey, { id, email }, now) };
  await queueMail(
    tx,
    { to: email, accountId: null, template: 'noticeReceived', data, language, expiresAt: appealUntil(now) },
    now,
  );
}

/**
 * Finds the person in a new outsider report, files it in their case, and mails the receipt, at most one a day to a mailbox, because anyone
 * can type someone else's address. A report without a matching account waits in a list for staff.
 */
export async function fileOutsiderReport(deps: Deps, { id }: { id: string }): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    const context = { tx, deps, now };
    // Processes one outsider report of a mailbox at a time, so that two at once don't both send a receipt.
    await sql`select pg_advisory_xact_lock(hashtextextended(mailbox_of(email), 12)) from outsider_notice where id = ${id}::uuid`.execute(
      tx,
    );
    const outsiderReport = await tx
      .selectFrom('outsider_notice')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (outsiderReport === undefined) return;
    await tx.updateTable('outsider_notice').set({ filing_due_since: null }).where('id', '=', id).execute();
    if (outsiderReport.checked_at !== null) return;
    const { rows: today } = await sql<{ receipt_at: Date | null }>`
      select receipt_at from outsider_notice where mailbox_of(email) = mailbox_of(${outsiderReport.email})
        and checked_at > ${secondsAfter(now, -daySeconds)}::timestamptz`.execute(tx);
    if (outsiderReport.confirmed_at === null && today.length >= filedPerDay) return;
    await tx.updateTable('outsider_notice').set({ checked_at: now }).where('id', '=', id).execute();
    const target = await findTarget(tx, outsiderReport.address);
    if (target !== undefined) await fileAbout(context, [outsiderReport], target);
    if (today.every(({ receipt_at }) => receipt_at === null)) await sendReceipt(context, outsiderReport);
  });
}
