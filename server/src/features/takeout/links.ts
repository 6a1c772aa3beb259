import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as help from '#contract/auth/help.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import * as calls from '#contract/takeout.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { AppError, notFound, refusalToCommit } from '#platform/http/app-error.ts';
import { type CallContext, type CommandContext, mount } from '#platform/http/mount.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { judgeFactor, limitHelp, lockPersonToHelp, noteHelp, requireFactor } from '../auth/public.ts';
import { readAppealToken, readToken } from '../moderation/public.ts';
import { type Archive, ask, exportOf, type ExportRow, mailReady, readyMail, sendArchive } from './takeout.ts';

/**
 * Starts an archive for someone who is not signed in, or mails them again about a finished one, at most three times a day (429). 409 for an
 * unconfirmed address.
 */
async function askFor(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  account: { id: string; email: string; email_verified_at: Date | null; is_active: boolean },
): Promise<void> {
  if (account.email_verified_at === null)
    throw new AppError('CONFLICT', msg`The address was never confirmed, so no data can be sent to it.`);
  const { id: accountId, email, is_active: isActive } = account;
  const row = await ask({ tx, deps, caller: { accountId, sessionId: null }, now }, { renews: false });
  if (row.state !== 'ready' || row.ready_at === null) return;
  await limitHelp({ tx, now }, accountId, readyMail(isActive));
  await mailReady({ ...deps, tx }, { id: row.id, accountId, email, readyAt: row.ready_at }, now);
}

/** Starts the archive of a person that staff are helping. 409 for staff, leaving accounts and unconfirmed addresses. */
async function helpWithExport(context: CommandContext, request: { id: string; reason: string }): Promise<void> {
  const account = await lockPersonToHelp(context, request.id);
  if (account.staff_role !== null) throw new AppError('CONFLICT', msg`Staff accounts belong to the service.`);
  if (account.leaving_since !== null) throw new AppError('CONFLICT', msg`This account is about to be deleted.`);
  await askFor(context, account);
  await noteHelp(context, request, 'help.exportStarted');
}

/** A member's account that can't sign in and is not about to be deleted. */
const lockedOut = (db: Db, accountId: string) =>
  db
    .selectFrom('account')
    .select(['id', 'email', 'email_verified_at', 'is_active'])
    .where('id', '=', accountId)
    .where('is_active', '=', false)
    .where('leaving_since', 'is', null)
    .where('staff_role', 'is', null);

/** Starts the archive of a locked account with the emailed link about its decision; 404 for accounts that can sign in. */
async function askByLink({ tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>, token: string): Promise<void> {
  const { accountId } = await readAppealToken(tx, deps.appealKey, token, now);
  const account = await lockedOut(tx, accountId).forNoKeyUpdate().executeTakeFirst();
  if (account === undefined) throw notFound();
  await askFor({ tx, deps, now }, account);
}

type LinkedArchive = Archive & Pick<ExportRow, 'link_id'>;

/**
 * The archive in an emailed link, for an account that is still locked. Accounts with two-step verification or a passkey must use it too,
 * because a mailbox is no second factor.
 */
async function archiveByLink(
  context: CallContext<unknown>,
  { token, ...shown }: BodyOf<typeof calls.exportByLink>,
): Promise<LinkedArchive> {
  const { deps, now } = context;
  const { id, accountId } = await readToken(deps.db, deps.appealKey, 'archive', { token, now });
  const row = await exportOf(deps.db, accountId, now);
  if (row?.state !== 'ready' || (row.link_id ?? row.id) !== id) throw notFound();
  if ((await lockedOut(deps.db, accountId).executeTakeFirst()) === undefined) throw notFound();
  const factor = await judgeFactor(context, accountId, shown);
  const proven = await inTransaction(deps.db, (tx) =>
    requireFactor({ ...context, tx }, accountId, factor).catch(refusalToCommit),
  );
  if (proven instanceof AppError) throw proven;
  return row as LinkedArchive;
}

/** Uses up a link when its download starts, and mails that to its owner. 404 if another download was first, or the account is open again. */
async function endLink({ db }: Deps, { id, account_id, link_id }: LinkedArchive, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await lockedOut(tx, account_id).forNoKeyUpdate().executeTakeFirst();
    const { rows } = await sql`update data_export set link_id = gen_random_uuid()
      where id = ${id}::uuid and link_id is not distinct from ${link_id}::uuid returning id`.execute(tx);
    if (account === undefined || rows.length === 0) throw notFound();
    const mail = { to: account.email, accountId: account_id, template: 'archiveDownloaded', data: {} } as const;
    await queueMail(tx, mail, now);
  });
}

/** Archives for people who can't sign in. A finished archive is mailed to them and is never part of an answer to staff. */
export function mountTakeoutLinks(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, help.helpExport).to(async (context) => {
    await helpWithExport(context, { ...context.params, ...context.body });
    return { message: 'They are mailed once their data is ready', data: {} };
  });
  mount(app, deps, calls.askForExportByLink).to(async ({ tx, body, now }) => {
    await askByLink({ tx, deps, now }, body.token);
    return { message: 'We email you once your data is ready', data: {} };
  });
  mount(app, deps, calls.exportByLink).to(async (context) => {
    const { body, reply, now } = context;
    const archive = await archiveByLink(context, body);
    return await sendArchive(deps, archive, { reply, now, onStart: () => endLink(deps, archive, now) });
  });
}
