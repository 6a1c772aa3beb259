import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { userById } from '../../profiles/public.ts';
import { caseOf, syncCase } from '../cases/case-row.ts';
import { noteEmergency } from '../emergencies/note.ts';
import { freeze } from '../reports/evidence.ts';
import { insertReport } from '../reports/file-report.ts';
import { dueAt, outsiderName } from '../reports/policy.ts';
import { insertEvent } from '../reports/report-row.ts';
import { noticeToken } from './links.ts';
import { reportOf, targetOf } from './policy.ts';
import type { OutsiderNotice } from './tables.ts';

const daySeconds = 86_400;

/** How many open reports about one person come from outside. Further notices belong to the newest of them. */
const openReportsMost = 3;

/** Whom a notice is about, and the picture if it names one. */
interface Target {
  accountId: string;
  pictureId?: string;
}

/** What filing needs of its context. */
type FilingContext = { tx: Db; deps: Deps; now: Date };

/** The account that an address leads to, if there is one. */
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

/** The open report from outside that a notice belongs to: one with the same content or, if there are too many, the newest. */
async function openReport(tx: Db, personId: string, notice: OutsiderNotice): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; is_same: boolean }>`
    select r.id, exists (select from outsider_notice n where n.report_id = r.id and n.digest = ${notice.digest}) as is_same
    from report r where r.reported_id = ${personId}::uuid and r.source = 'outsider' and r.deleted_at is null
      and r.status in ('pending', 'in_progress')
    order by r.created_at desc, r.id`.execute(tx);
  const same = rows.find(({ is_same }) => is_same);
  return same?.id ?? (rows.length < openReportsMost ? undefined : rows[0]?.id);
}

const descriptionOf = ({ body, place }: OutsiderNotice) => (place === null ? body : `${body}\n\nWhere: ${place}`);

/**
 * Makes a locked notice a part of the case of a person, with a copy of the profile. The report has no reporter: colleagues decide it with
 * reasons, and nothing in the case names the author. Returns the case, or null if there is no such account.
 */
export async function fileAbout(
  context: FilingContext,
  notice: OutsiderNotice,
  { accountId, pictureId }: Target,
): Promise<string | null> {
  const { tx, now } = context;
  // As filing a report does, so that two of them don't both open the case.
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const user = await userById(tx, accountId);
  if (user === undefined) return null;
  const { type, priority, mayBeMinor = false, emergency } = reportOf[notice.type];
  const caseId = await caseOf(tx, accountId, priority, now);
  let reportId = await openReport(tx, accountId, notice);
  if (reportId === undefined) {
    reportId = await insertReport(tx, {
      reported_id: accountId,
      problem_type: type,
      description: descriptionOf(notice),
      may_be_minor: mayBeMinor,
      first_priority: priority,
      priority,
      created_at: now,
      updated_at: now,
      due_at: dueAt(now, priority),
      case_id: caseId,
      source: 'outsider',
      opened_by_name: outsiderName,
      opened_at: now,
      is_listed: false,
      awaits_staff: false,
    });
    await insertEvent(tx, { report_id: reportId, at: now, kind: 'filed', actor_role: 'system', to_value: priority });
    await freeze(context, reportId, user, pictureId === undefined ? [] : [pictureId]);
  }
  // What identifies the person must not outlive their account.
  const filed = { report_id: reportId, address: null, person: null };
  const reopened = { closed_at: null, closed_by: null, closed_by_name: null };
  await tx
    .updateTable('outsider_notice')
    .set({ ...filed, ...reopened })
    .where('id', '=', notice.id)
    .execute();
  await syncCase(tx, caseId, now);
  if (emergency !== undefined) await noteEmergency(tx, { caseId, kind: emergency }, now);
  return caseId;
}

/** Mails a receipt, but no address gets more than one a day: anyone can type the address of someone else. */
async function sendReceipt({ tx, deps, now }: FilingContext, notices: OutsiderNotice[], id: string): Promise<void> {
  const notice = notices.find((one) => one.id === id);
  const since = secondsAfter(now, -daySeconds);
  if (notice === undefined || notice.email === null) return;
  if (notices.some(({ receipt_at }) => receipt_at !== null && receipt_at > since)) return;
  await tx.updateTable('outsider_notice').set({ receipt_at: now }).where('id', '=', id).execute();
  const data = { token: noticeToken(deps.appealKey, { id, email: notice.email }, now) };
  await queueMail(tx, { to: notice.email, accountId: null, template: 'noticeReceived', data }, now);
}

/** Looks up whom a new notice is about, files it in their case, and mails the receipt. One about no account waits in a list for staff. */
export async function fileNotice(deps: Deps, id: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const context = { tx, deps, now };
    // Locks all notices from the address, so that two at once don't both send a receipt.
    const notices = await tx
      .selectFrom('outsider_notice')
      .selectAll()
      .where((eb) =>
        eb.or([
          eb('id', '=', id),
          eb('email', '=', eb.selectFrom('outsider_notice as named').select('email').where('named.id', '=', id)),
        ]),
      )
      .orderBy('id')
      .forUpdate()
      .execute();
    const notice = notices.find((one) => one.id === id);
    if (notice === undefined || notice.checked_at !== null) return;
    await tx.updateTable('outsider_notice').set({ checked_at: now }).where('id', '=', id).execute();
    const target = await findTarget(tx, notice.address);
    if (target !== undefined) await fileAbout(context, notice, target);
    await sendReceipt(context, notices, id);
  });
}
