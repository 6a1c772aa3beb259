import { isDeepStrictEqual } from 'node:util';
import type { MessageDescriptor } from '@lingui/core';
import { msg, select } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import { exactTotalMax } from '#contract/constants.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  type approvalSchema,
  approvalKinds,
  approvalDays,
  approvalsOpenMax,
  approvalWaitsHours,
  type decideApproval,
  type requestApproval as requestExport,
} from '#contract/profiles/approvals.ts';
import { userFilters } from '#contract/profiles/staff.ts';
import { may, permissions } from '#contract/roles.ts';
import { actorOf, audit, given, givenFilters } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { requireMayAct, seenBy } from '#platform/session/access.ts';
import { idsListed, type UserFilters } from './list.reads.ts';

type Context = Pick<CommandContext, 'tx' | 'caller' | 'now'>;
type DecidingContext = Context & { deps: Pick<CommandContext['deps'], 'emit'> };
type ApprovalRow = Selectable<Database['approval']>;

const shownMost = 100;
const endOf = (row: ApprovalRow) => secondsAfter(row.requested_at, approvalDays * 86_400);

type Approval = z.input<typeof approvalSchema>;

const inMail = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const openTeam = (publicUrl: string) => ({ text: msg`Open approvals`, url: new URL('/team', publicUrl).href });

const requested: Record<Approval['kind'], (by: string) => MessageDescriptor> = {
  'users.export': (by) =>
    msg`${{ by }} wants to export users, more than the 1,000 that one person exports within 24 hours. Please check the reason, then approve or reject it.`,
  'users.bulk': (by) =>
    msg`${{ by }} wants to send a message to more than 100 people. Please check the text and the reason, then approve or reject it.`,
  'legalHold.release': (by) =>
    msg`${{ by }} wants to release a legal hold, after which data of the person can be deleted again. Please check the reason, then approve or reject it.`,
};
const kindOf = (kind: string | undefined) => approvalKinds.find((one) => one === kind) ?? 'users.export';

/** The mails between the two people of an approval. */
export const approvalMails = {
  approvalRequested: ({ by = '', kind }, publicUrl) => ({
    subject: msg`Your approval is needed`,
    heading: msg`A colleague asks for your approval`,
    paragraphs: [requested[kindOf(kind)](by)],
    button: openTeam(publicUrl),
  }),
  approvalWaits: ({ from = '', kind }, publicUrl) => ({
    ...(kind === 'users.bulk'
      ? {
          subject: msg`A message to many people was requested with your account`,
          heading: msg`A message to many people was requested`,
        }
      : {
          subject: msg`An export was requested with your account`,
          heading: msg`An export of users was requested`,
        }),
    paragraphs: [
      kind === 'users.bulk'
        ? msg`No second administrator can approve it, so it can be sent from ${{ from }} on.`
        : msg`No second administrator can approve it, so it can be downloaded from ${{ from }} on.`,
      msg`If this wasn't you, sign in, choose a new password and end your other sessions before that.`,
    ],
    button: openTeam(publicUrl),
  }),
  approvalDecided: ({ by = '', verdict = '', reason = '', until = '', kind }, publicUrl) => {
    const what = { 'users.export': 'export', 'users.bulk': 'message', 'legalHold.release': 'release' }[kindOf(kind)];
    return {
      subject: msg`Your request was decided`,
      heading: msg`Your ${select({ what }, { release: 'release of a legal hold', message: 'message to many people', other: 'export' })} was ${select({ verdict }, { approved: 'approved', rejected: 'rejected', other: '' })}`,
      paragraphs: [
        msg`${{ by }} ${select({ verdict }, { approved: 'approved', rejected: 'rejected', other: '' })} the ${select({ what }, { release: 'release', message: 'message', other: 'export' })} that you asked for.`,
        ...(reason === '' ? [] : [msg`Their reason: ${{ reason }}`]),
        ...(until === ''
          ? []
          : [
              what === 'message'
                ? msg`You can send it until ${{ until }}.`
                : msg`You can download it once, until ${{ until }}.`,
            ]),
      ],
      button: openTeam(publicUrl),
    };
  },
} satisfies MailTemplates;

function stateOf(row: ApprovalRow, now: Date): Approval['state'] {
  if (row.used_at !== null) return 'used';
  if (row.verdict === 'rejected') return 'rejected';
  if (endOf(row) <= now) return 'over';
  return row.usable_from !== null && row.usable_from <= now ? 'usable' : 'waiting';
}

const isOpen = (row: ApprovalRow, now: Date) =>
  row.verdict === null && ['waiting', 'usable'].includes(stateOf(row, now));

function toView(row: ApprovalRow, { caller, now }: Omit<Context, 'tx'>): Approval {
  const isOwn = row.requested_by === caller.accountId;
  const state = stateOf(row, now);
  const { ids, isByFilters = false, holdId: _, actId, ...asked } = row.payload;
  return {
    _id: row.id,
    kind: row.kind,
    state,
    requestedBy: { _id: row.requested_by, name: row.requested_by_name },
    requestedAt: row.requested_at,
    endsAt: endOf(row),
    reason: row.reason,
    ...asked,
    isChosen: ids !== undefined && !isByFilters,
    ...(isOwn && actId !== undefined && { actId }),
    usableFrom: row.usable_from,
    decision:
      row.verdict === null
        ? null
        : {
            verdict: row.verdict,
            by: { _id: row.decided_by, name: row.decided_by_name ?? '' },
            reason: row.decision_reason,
          },
    can: { decide: !isOwn && isOpen(row, now), use: isOwn && state === 'usable' },
  };
}

/** All others who may approve, without parties to the case that the request is about. */
async function others({ tx, caller }: Context, caseId: string | null = null): Promise<{ id: string; email: string }[]> {
  return await tx
    .selectFrom('account')
    .select(['id', 'email'])
    .where('staff_role', 'in', permissions['users.export'])
    .where('is_active', '=', true)
    .where('leaving_since', 'is', null)
    .where('id', '<>', caller.accountId)
    .where(seenBy({ accountId: sql.ref('account.id') }, 'case', sql`${caseId}::uuid`))
    .execute();
}

/** By how many people, or by which share if that is more, a list may grow before it is exported, because people join all the time. */
const grownByPeople = 20;
const grownByShare = 0.05;

/**
 * The number of users that an export of this size may have in the end. Lists are counted up to 10,001, which approvers see as "more than
 * 10,000", so that number has no limit.
 */
export const mostRows = (rows: number) =>
  rows > exactTotalMax ? Infinity : rows + Math.max(grownByPeople, Math.floor(rows * grownByShare));

/**
 * 409 if the caller has the maximum number of open requests, or an open one whose approval would allow this. Locks the caller's account, so
 * that parallel requests are counted one after another.
 */
async function requireFewOpen(
  { tx, caller, now }: Context,
  kind: Approval['kind'],
  asked: ApprovalRow['payload'],
): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', caller.accountId).forNoKeyUpdate().execute();
  const undecided = await tx
    .selectFrom('approval')
    .selectAll()
    .where('requested_by', '=', caller.accountId)
    .where('verdict', 'is', null)
    .execute();
  const open = undecided.filter((row) => isOpen(row, now));
  const isEqual = ({ kind: openKind, payload: { columns, filters, ids, text } }: ApprovalRow) =>
    isDeepStrictEqual(
      [openKind, columns, filters, ids, text],
      [kind, asked.columns, asked.filters, asked.ids, asked.text],
    );
  if (open.some(isEqual)) throw new AppError('CONFLICT', msg`You already asked for this`);
  if (open.length >= approvalsOpenMax)
    throw new AppError('CONFLICT', msg`Only ${{ approvalsOpenMax }} of your requests can be open at a time`);
}

/** The set filters as they are stored, as text. */
export function filtersAsText(filters: object): Record<string, string> {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

/** Requests the other administrators' approval for an export. Throws the errors of `requestApproval`. */
export async function ask(context: Context, body: BodyOf<typeof requestExport>): Promise<Approval> {
  const { tx, caller, now } = context;
  const { kind, columns, filters, reason } = body;
  const isByFilters = body.ids === undefined;
  const found = body.ids ?? (await idsListed({ db: tx, notedIn: tx, caller, now }, filters, exactTotalMax + 1));
  const who = found.length <= exactTotalMax && { ids: found.toSorted(), ...(isByFilters && { isByFilters }) };
  const payload = { rows: found.length, columns, filters: filtersAsText(filters), ...who };
  return await requestApproval(context, { kind, payload, reason });
}

/**
 * Requests the other administrators' approval. 409 with too many open requests, or an equal one. Without other administrators, it can be
 * used a day later, and the mail gives the account's owner time to stop it.
 */
export async function requestApproval(
  context: Context,
  { kind, payload, reason }: Pick<ApprovalRow, 'kind' | 'payload' | 'reason'>,
): Promise<Approval> {
  const { tx, caller, now } = context;
  await requireFewOpen(context, kind, payload);
  const approvers = await others(context);
  const usableFrom = approvers.length > 0 ? null : secondsAfter(now, approvalWaitsHours * 3600);
  const { accountId, name } = actorOf(caller);
  const row = await tx
    .insertInto('approval')
    .values({
      kind,
      payload: JSON.stringify(payload),
      requested_by: accountId ?? '',
      requested_by_name: name,
      reason,
      requested_at: now,
      usable_from: usableFrom,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { rows, columns, ids, filters } = payload;
  const bulk = kind === 'users.bulk' ? 'notice' : undefined;
  const changes = given({ approval: row.id, bulk, rows, columns, people: ids, filters: givenFilters(filters) });
  await audit(context, { type: 'users', id: null }, 'approval.requested', { reason, changes });
  const mail = (account: { id: string; email: string }, template: keyof typeof approvalMails, data: object) =>
    queueMail(tx, { to: account.email, accountId: account.id, template, data: { ...data, kind } }, now);
  for (const approver of approvers) await mail(approver, 'approvalRequested', { by: name });
  if (usableFrom !== null) {
    await mail({ id: caller.accountId, email: caller.email }, 'approvalWaits', { from: inMail(usableFrom) });
  }
  return toView(row, context);
}

/** A legal hold whose release is requested. */
interface PreservationToRelease {
  holdId: string;
  caseId: string;
  reason: string;
}

/** Who has requested the release of a legal hold that is still undecided. */
export async function releaseRequestOf(db: Db, preservationId: string, now: Date): Promise<string | null> {
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .where('kind', '=', 'legalHold.release')
    .where(sql<boolean>`payload ->> 'holdId' = ${preservationId}`)
    .orderBy('requested_at', 'desc')
    .execute();
  return rows.find((row) => isOpen(row, now))?.requested_by_name ?? null;
}

/**
 * Requests the administrators' approval to release a legal hold, which the caller has locked. Without a second person the request waits,
 * because no one may release a hold alone. 409 while a request is open.
 */
export async function askForRelease(context: Context, { reason, ...about }: PreservationToRelease): Promise<void> {
  const { tx, caller, now } = context;
  if ((await releaseRequestOf(tx, about.holdId, now)) !== null)
    throw new AppError('CONFLICT', msg`A colleague has already asked for this`);
  const { accountId: by, name } = actorOf(caller);
  const kind = 'legalHold.release';
  await tx
    .insertInto('approval')
    .values({
      kind,
      payload: JSON.stringify({ rows: 1, columns: [], filters: {}, ...about }),
      ...{ requested_by: by ?? '', requested_by_name: name, reason, requested_at: now, usable_from: null },
    })
    .execute();
  await audit(context, { type: 'case', id: about.caseId }, 'legalHold.releaseRequested', { reason });
  for (const { id, email } of await others(context, about.caseId))
    await queueMail(tx, { to: email, accountId: id, template: 'approvalRequested', data: { by: name, kind } }, now);
}

/**
 * The requests of the last days, newest first, without those about cases to which the caller is a party; for colleagues who can't approve,
 * only their own.
 */
export async function recent({ tx, caller, now }: Context): Promise<Approval[]> {
  const rows = await tx
    .selectFrom('approval')
    .selectAll()
    .where('requested_at', '>', secondsAfter(now, -approvalDays * 86_400))
    .where(seenBy(caller, 'case', sql`(payload ->> 'caseId')::uuid`))
    .$if(!may(caller.staffRole, 'users.export'), (own) => own.where('requested_by', '=', caller.accountId))
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(shownMost)
    .execute();
  return rows.map((row) => toView(row, { caller, now }));
}

async function locked(tx: Db, id: string): Promise<ApprovalRow> {
  const row = isUuid(id)
    ? await tx.selectFrom('approval').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined;
  if (row === undefined) throw notFound();
  return row;
}

/** Whether someone has given a colleague their role within 24 hours, in which case that colleague can't be the second person. */
async function madeBy(tx: Db, { requested_by: by }: ApprovalRow, colleague: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from audit_event where target_id = ${colleague} and action = 'role.changed' and actor_id = ${by}::uuid
      and at > ${secondsAfter(now, -86_400)} limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Approves or rejects a colleague's request; an approved release of a legal hold takes effect at once. 404; 403 for one's own, for a
 * request by someone who gave the caller their role within 24 hours, and for a party to the case; 409 once it was decided, used or has
 * expired.
 */
export async function decide(
  context: DecidingContext,
  { id, verdict, reason }: ParamsOf<typeof decideApproval> & BodyOf<typeof decideApproval>,
): Promise<Approval> {
  const { tx, caller, now } = context;
  const before = await locked(tx, id);
  if (before.requested_by === caller.accountId || (await madeBy(tx, before, caller.accountId, now)))
    throw new AppError('FORBIDDEN', msg`Another administrator has to decide on your request`);
  if (before.payload.caseId !== undefined) await requireMayAct(tx, caller, 'case', before.payload.caseId);
  if (!isOpen(before, now)) throw new AppError('CONFLICT', msg`This was already decided or used, or it is too late`);
  const by = actorOf(caller);
  const row = await tx
    .updateTable('approval')
    .set({
      verdict,
      decided_by: by.accountId,
      decided_by_name: by.name,
      decided_at: now,
      decision_reason: reason ?? null,
      ...(verdict === 'approved' && { usable_from: now }),
      ...(verdict === 'approved' && before.payload.holdId !== undefined && { used_at: now }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const changes = given({ approval: id, verdict });
  await audit(context, { type: 'users', id: null }, 'approval.decided', { reason, changes });
  if (verdict === 'approved' && before.payload.holdId !== undefined) {
    const released = { preservationId: before.payload.holdId, askedBy: before.requested_by_name, by, now };
    await context.deps.emit(tx, 'preservationReleased', released);
  }
  const requester = await tx
    .selectFrom('account')
    .select('email')
    .where('id', '=', row.requested_by)
    .executeTakeFirstOrThrow();
  const until = row.kind !== 'legalHold.release' && verdict === 'approved' ? inMail(endOf(row)) : '';
  const data = { by: by.name, verdict, reason: reason ?? '', until, kind: row.kind };
  await queueMail(tx, { to: requester.email, accountId: row.requested_by, template: 'approvalDecided', data }, now);
  return toView(row, context);
}

/** Uses up an approval of the caller, and returns what it allows. 404 for others'; 409 unless it can be used now. */
export async function useApproval(
  { tx, caller, now }: Context,
  id: string,
  kind: Approval['kind'] = 'users.export',
): Promise<Pick<ApprovalRow, 'payload' | 'reason'>> {
  const row = await locked(tx, id);
  if (row.requested_by !== caller.accountId || row.kind !== kind) throw notFound();
  if (stateOf(row, now) !== 'usable')
    throw new AppError(
      'CONFLICT',
      msg`This approval cannot be used: it was not given yet, or it was used, rejected or is over`,
    );
  await tx.updateTable('approval').set({ used_at: now }).where('id', '=', id).execute();
  return { payload: row.payload, reason: row.reason };
}

/**
 * What the payload of an approval allows to export: the approved people who still match its filters, because the caller could add others to
 * the list, for example by tagging them. For a list too large to be counted, no one is named.
 */
export const allowedBy = ({ columns, rows, ids, filters }: ApprovalRow['payload']) => ({
  filters: z.object(userFilters).parse(filters) satisfies UserFilters,
  columns,
  most: ids === undefined ? mostRows(rows) : ids.length,
  ...(ids && { ids }),
});

/** Stores which act an approved message to many has started. */
export const keepActId = (tx: Db, id: string, actId: string): Promise<unknown> =>
  sql`update approval set payload = payload || jsonb_build_object('actId', ${actId}::text) where id = ${id}::uuid`.execute(
    tx,
  );

/**
 * Deletes the selected people and the text once the approval can't be used any more, and before that those whose accounts were deleted
 * meanwhile.
 */
export async function forgetChosen(db: Db, now: Date): Promise<void> {
  await sql`update approval set payload = payload - 'ids' - 'text'
    where payload ?| array['ids', 'text'] and requested_at <= ${secondsAfter(now, -approvalDays * 86_400)}`.execute(db);
  const chosen = sql`jsonb_array_elements_text(payload -> 'ids') chosen (id) left join account a on a.id = chosen.id::uuid`;
  await sql`
    update approval set payload = jsonb_set(payload, '{ids}', (
      select coalesce(jsonb_agg(a.id) filter (where a.id is not null), '[]') from ${chosen}))
    where payload ? 'ids' and exists (select from ${chosen} where a.id is null)`.execute(db);
}
