import { msg } from '@lingui/core/runtime-macro';
import { type Insertable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { BodyOf } from '#contract/endpoint.ts';
import type { decideCase } from '#contract/moderation/cases.ts';
import { type SanctionKind, strikeDays, strikesOf } from '#contract/moderation/decisions.ts';
import { type Actor, actorOf } from '#platform/db/audit.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { textOf } from '#platform/texts.ts';
import { presentBrand } from '#platform/service/brand.ts';
import type { Reactions } from '../../../events.ts';
import { languageOf, type MissedSanction, recordAct } from '../../auth/public.ts';
import { giveBack } from '../../subscriptions/public.ts';
import { applyActive } from '../../profiles/public.ts';
import type { CaseRow } from '../work/case-row.ts';
import { judgeHolds } from '../holds/hold.ts';
import { takeBackWarnings } from './fraud-warnings.ts';
import { contentForLedger, removeContent, repeatRemoval, restoreContent } from './content.ts';
import type { RemovedContent } from '#platform/db/json.ts';

const daySeconds = 86_400;

interface NewSanction {
  accountId: string;
  decisionId: string | null;
  kind: SanctionKind;
  days: number | undefined;
  content?: RemovedContent | undefined;
  reason: string;
  by: string;
  /** It restricts until the decision, and counts no strikes. */
  isInterim?: boolean;
}

/** Writes a sanction, also to the ledger, and returns its id; `applySanctions` then changes the account. */
export async function insertSanction(tx: Db, given: NewSanction, now: Date): Promise<string> {
  const hasStrikes = given.decisionId !== null && given.isInterim !== true;
  const ends = given.days === undefined ? null : secondsAfter(now, given.days * daySeconds);
  const row: Insertable<Database['sanction']> = {
    account_id: given.accountId,
    decision_id: given.decisionId,
    kind: given.kind,
    content: given.content === undefined ? null : JSON.stringify(given.content),
    reason: given.reason,
    created_by_name: given.by,
    starts_at: now,
    search_due_since: given.kind === 'ban' ? now : null,
    ends_at: ends,
    strikes: hasStrikes ? strikesOf[given.kind] : 0,
    strikes_until: secondsAfter(now, strikeDays * daySeconds),
  };
  const { id } = await tx.insertInto('sanction').values(row).returning('id').executeTakeFirstOrThrow();
  const { kind, content } = given;
  if (kind === 'warn') return id;
  const sanction = {
    ...{ id, kind, endsAt: ends?.toISOString() ?? null, strikes: row.strikes },
    ...(content !== undefined && { content: contentForLedger(content) }),
  };
  await recordAct(tx, given.accountId, { act: 'sanctioned', sanction }, now);
  if (kind === 'ban') await queueSearch(tx, { sanctionId: id });
  return id;
}

const removedText = msg`We removed this picture. You can read the reasons under Support.`;

/** Removes content and stores the sanctions of a decision about a locked case; `applySanctions` then changes the account. */
export async function imposeSanctions(
  { tx, deps, caller, now }: CommandContext,
  { id: caseId, person_id }: CaseRow,
  given: BodyOf<typeof decideCase> & { decisionId: string; isAlwaysWithheld: boolean },
): Promise<void> {
  const { decisionId, facts = '', sanctions = [], isAlwaysWithheld } = given;
  const removalReason = textOf(removedText, {}, await languageOf(tx, person_id));
  for (const { kind, days, content: chosen } of sanctions) {
    const [accountId, by] = [person_id ?? '', actorOf(caller).name];
    const from = { caseId, accountId, reason: removalReason, addressKey: deps.addressKey };
    const removed = chosen && (await removeContent(tx, from, chosen, now));
    const isWithheld = removed?.type === 'picture' && (isAlwaysWithheld || chosen?.isWithheld === true);
    const content = removed && { ...removed, ...(isWithheld && { isWithheld }) };
    const sanction = { accountId, decisionId, kind, days, content, reason: facts, by };
    const sanctionId = await insertSanction(tx, sanction, now);
    if (kind === 'ban') await deps.emit(tx, 'banned', { sanctionId, accountId, banKey: deps.banKey, now });
  }
}

/** The progress of the search for the other accounts of a banned person. */
export const banSearchSchema = z.object({
  sanctionId: z.string(),
  /** The last account that was examined. */
  after: z.optional(z.string()),
  found: z.optional(z.number()),
});
export type BanSearch = z.infer<typeof banSearchSchema>;

/** Queues a search, or its continuation. The sanction remembers it until it is over. */
export async function queueSearch(tx: Db, search: BanSearch): Promise<void> {
  await addJob(tx, 'bans.search', search, { jobKey: `bans.search ${search.sanctionId}` });
}

/**
 * Updates an account to match its sanctions in force: active, shown and able to start conversations unless one of them prevents it.
 * Deactivation signs the member out everywhere and stops the renewal of a subscription. With `mayActivate` false, an account stays
 * deactivated, because a new sanction is no reason to readmit anyone. Withheld items are delivered or dropped accordingly.
 */
export async function applySanctions(tx: Db, accountId: string, now: Date, { mayActivate = true } = {}): Promise<void> {
  const { rows } = await sql<{ kind: SanctionKind; reason: string }>`
    select kind, reason from sanction where account_id = ${accountId}::uuid and revoked_at is null
      and (ends_at is null or ends_at > ${now}) order by starts_at desc`.execute(tx);
  const live = (...kinds: SanctionKind[]) => rows.find(({ kind }) => kinds.includes(kind));
  const account = await tx
    .updateTable('account')
    .set({ is_hidden: live('hide_profile') !== undefined, is_messaging_limited: live('limit_messaging') !== undefined })
    .where('id', '=', accountId)
    .returning('is_active')
    .executeTakeFirst();
  if (account === undefined) return;
  await judgeHolds(tx, accountId, now);
  const barring = live('ban', 'suspend');
  if (account.is_active === (barring === undefined) || (barring === undefined && !mayActivate)) return;
  await applyActive(tx, { id: accountId, isActive: barring === undefined, reason: barring?.reason ?? '' }, now);
}

/** Locks the accounts of these sanctions, so that overlapping ones are revoked one after another and their time is returned once. */
export async function lockSanctioned(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`select from account where id in (select account_id from sanction where id = any (${ids}::uuid[]))
    order by id for no key update`.execute(tx);
}

/** Which sanctions are revoked, who revokes them, and why. */
interface Revocation {
  ids: readonly string[];
  by: Pick<Actor, 'name'>;
  reason: string;
}

/**
 * Revokes those sanctions that were not revoked yet, and their effect on the account. Returns how many removed texts could not be restored.
 */
export async function takeBack(tx: Db, { ids, by, reason }: Revocation, now: Date): Promise<number> {
  await lockSanctioned(tx, ids);
  const rows = await tx
    .selectFrom('sanction')
    .select(['id', 'account_id'])
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .execute();
  const open = rows.map(({ id }) => id);
  const lost = await revokeRows(tx, { ids: open, by, reason }, now);
  for (const accountId of new Set(rows.flatMap(({ account_id }) => account_id ?? [])))
    await applySanctions(tx, accountId, now);
  return lost;
}

/** Marks sanctions as revoked, also in the ledger, and restores what they removed. Returns how many removed texts could not be restored. */
export async function revokeRows(tx: Db, revocation: Revocation, now: Date): Promise<number> {
  const { ids } = revocation;
  if (ids.length === 0) return 0;
  const rows = await tx.selectFrom('sanction').select(['id', 'account_id', 'kind']).where('id', 'in', ids).execute();
  for (const { id, account_id, kind } of rows)
    if (account_id !== null && kind !== 'warn')
      await recordAct(tx, account_id, { act: 'revoked', sanction: { id } }, now);
  return await markRevoked(tx, revocation, now);
}

async function markRevoked(tx: Db, { ids, by, reason }: Revocation, now: Date): Promise<number> {
  await tx
    .updateTable('sanction')
    .set({ revoked_at: now, revoked_by_name: by.name, revoke_reason: reason })
    .where('id', 'in', ids)
    .execute();
  await tx.deleteFrom('ban_trace').where('sanction_id', 'in', ids).execute();
  await takeBackWarnings(tx, ids, now);
  const lost = await restoreContent(tx, ids, now);
  for (const [accountId, spans] of await barredFor(tx, ids, now)) await giveBack(tx, accountId, spans, now);
  return lost;
}

/**
 * The times during which only these sanctions blocked their accounts, by account. Time covered by another sanction in force doesn't count.
 */
async function barredFor(
  tx: Db,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, { from: Date; until: Date }[]>> {
  const time = sql`tstzrange(starts_at, greatest(starts_at, least(coalesce(ends_at, ${now}), ${now})))`;
  const { rows } = await sql<{ account_id: string; from: Date; until: Date }>`
    select account_id, lower(span) as from, upper(span) as until from (
      select account_id, range_agg(${time}) filter (where id = any (${ids}::uuid[]))
        - coalesce(range_agg(${time}) filter (where revoked_at is null), '{}') as spans
      from sanction where kind in ('suspend', 'ban')
        and account_id in (select account_id from sanction where id = any (${ids}::uuid[])) group by account_id
    ) barred cross join unnest(spans) as span`.execute(tx);
  return Map.groupBy(rows, ({ account_id }) => account_id);
}

const isOver = (now: Date) => sql`ended_at is null and revoked_at is null and ends_at <= ${now}`;

/** Ends expired sanctions and their effect. */
export async function endSanctions(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ accountId: string | null }>`
    select distinct account_id as "accountId" from sanction where ${isOver(now)}`.execute(db);
  await eachInTurn(rows, ({ accountId }) => inTransaction(db, (tx) => endSanctionsOf(tx, accountId, now)), {
    round: 'cases.endSanctions',
    keyOf: ({ accountId }) => String(accountId),
  });
}

/** Ends the sanctions of an account; null for those of deleted accounts. */
async function endSanctionsOf(tx: Db, accountId: string | null, now: Date): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
  await sql`
    with ended as (
      update sanction set ended_at = ends_at
      where account_id is not distinct from ${accountId}::uuid and ${isOver(now)}
      returning kind, decision_id
    )
    insert into case_event (case_id, at, kind, actor_role, to_value)
      select d.case_id, ${now}::timestamptz, 'sanction_ended', 'system', ended.kind
      from ended join case_decision d on d.id = ended.decision_id`.execute(tx);
  if (accountId !== null) await applySanctions(tx, accountId, now);
}

export const sanctionReactions: Reactions = {
  // An action of an administrator on the users screen is a sanction without a case.
  async deactivated(tx, { accountId, reason, by, now }) {
    await insertSanction(
      tx,
      { accountId, decisionId: null, kind: 'suspend', days: undefined, reason, by: by.name },
      now,
    );
    await judgeHolds(tx, accountId, now);
  },
  // Revokes the sanctions that block the account.
  async activated(tx, { accountId, reason, by, now }) {
    const { rows } = await sql<{ id: string }>`
      select id from sanction where account_id = ${accountId}::uuid and kind in ('suspend', 'ban')
        and revoked_at is null and (ends_at is null or ends_at > ${now}) for update`.execute(tx);
    await revokeRows(tx, { ids: rows.map(({ id }) => id), by, reason }, now);
    await judgeHolds(tx, accountId, now);
  },
  // Sanctions that were also revoked since the backup are not applied first, because a removed text could not be restored without its
  // evidence.
  async sanctionsMissed(tx, { sanctions, addressKey, now }) {
    const revoked = new Set(sanctions.flatMap(({ act, sanction: { id } }) => (act === 'revoked' ? [id] : [])));
    for (const missed of sanctions)
      if (missed.act === 'sanctioned' && !revoked.has(missed.sanction.id))
        await repeatSanction(tx, missed, addressKey, now);
    const { rows } = await sql<{ id: string }>`
      select id from sanction where id = any (${[...revoked]}::uuid[]) and revoked_at is null`.execute(tx);
    const ids = rows.map(({ id }) => id);
    const reason = 'This was revoked before a backup was restored.';
    if (ids.length > 0) await markRevoked(tx, { ids, by: { name: restoredBy() }, reason }, now);
    for (const accountId of new Set(sanctions.map((one) => one.accountId)))
      await applySanctions(tx, accountId, now, { mayActivate: false });
  },
};

const restoredBy = () => presentBrand().name;

/** Writes a sanction that is missing in a restored database, under its id, without its decision, which is missing as well. */
async function repeatSanction(tx: Db, { accountId, sanction, at }: MissedSanction, addressKey: string, now: Date) {
  const { id, kind, endsAt = null, strikes = 0, content } = sanction;
  const known = await tx.selectFrom('sanction').select('id').where('id', '=', id).executeTakeFirst();
  if (known !== undefined || kind === undefined) return;
  const reason = 'This was decided before a backup was restored.';
  const removed = content && (await repeatRemoval(tx, { accountId, reason, addressKey }, content, now));
  await tx
    .insertInto('sanction')
    .values({
      id,
      account_id: accountId,
      decision_id: null,
      kind,
      content: removed === undefined ? null : JSON.stringify(removed),
      reason,
      created_by_name: restoredBy(),
      starts_at: at,
      search_due_since: kind === 'ban' ? now : null,
      ends_at: endsAt === null ? null : new Date(endsAt),
      strikes,
      strikes_until: secondsAfter(at, strikeDays * daySeconds),
    })
    .execute();
  if (kind === 'ban') await queueSearch(tx, { sanctionId: id });
}
