import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type {
  Decision,
  DecisionOutcome,
  DecisionSource,
  SanctionKind,
  ruleSchema,
  sanctionSchema,
} from '#contract/moderation/decisions.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import type { MediaAddresses } from '#platform/session/pictures.ts';
import { frozenText } from './content.ts';
import type { RemovedContent } from '#platform/db/json.ts';
import type { Appealable } from './links.ts';
import { readCopy } from '../reports/evidence.ts';
import { type AppealRight, rightsOf } from './own-appeals.reads.ts';

interface SanctionRow {
  id: string;
  decision_id: string | null;
  kind: SanctionKind;
  content: RemovedContent | null;
  /** The copy that contains what was removed, while it is stored. */
  copy: string | null;
  reason: string;
  created_by_name: string;
  starts_at: Date;
  ends_at: Date | null;
  acknowledged_at: Date | null;
  revoked_at: Date | null;
  revoke_reason: string | null;
  strikes: number;
  strikes_until: Date;
}

const isLive = (row: Pick<SanctionRow, 'ends_at' | 'revoked_at'>, now: Date) =>
  row.revoked_at === null && (row.ends_at === null || row.ends_at > now);

/** What a sanction removed, with its text if it had any. */
function removedBy({ content, copy }: SanctionRow) {
  if (content === null) return null;
  const { type, key, isLost } = content;
  const text = (copy === null ? null : frozenText(readCopy(copy), content)) ?? null;
  return { type, key, text, ...(isLost === true && { isLost }) };
}

function toSanction(row: SanctionRow, now: Date): z.input<typeof sanctionSchema> {
  const removed = removedBy(row);
  return {
    _id: row.id,
    kind: row.kind,
    ...(removed !== null &&
      row.content !== null && {
        content: {
          ...removed,
          evidenceId: row.content.evidenceId,
          isGone: row.content.isGone,
          ...(row.content.isWithheld === true && { isWithheld: true }),
        },
      }),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    isLive: isLive(row, now),
    reason: row.reason,
    by: row.created_by_name,
    acknowledgedAt: row.acknowledged_at,
    revokedAt: row.revoked_at,
    revokeReason: row.revoke_reason,
    strikes: row.revoked_at === null && row.strikes_until > now ? row.strikes : 0,
  };
}

const mostSanctions = 100;

async function sanctionRows(db: Db, where: RawBuilder<unknown>): Promise<SanctionRow[]> {
  const { rows } = await sql<SanctionRow>`
    select s.*, (select e.content from report_evidence e where e.id = (s.content ->> 'evidenceId')::uuid) as copy
    from sanction s where ${where} order by s.starts_at desc, s.id limit ${mostSanctions}`.execute(db);
  return rows;
}

/** The sanctions that match `where`, newest first. `s` is the sanction. */
export async function sanctionsWhere(db: Db, where: RawBuilder<unknown>, now: Date) {
  return (await sanctionRows(db, where)).map((row) => toSanction(row, now));
}

/** The columns of a rule as staff see it. */
export const ruleColumns = [
  ...(['id as _id', 'clause', 'version', 'title', 'body as text'] as const),
  ...(['created_at as createdAt', 'created_by as createdBy'] as const),
];

/** The rules in their current version, by clause. */
export async function currentRules(db: Db) {
  return await db
    .selectFrom('community_rule')
    .select(ruleColumns)
    .where('replaced_at', 'is', null)
    .orderBy(sql`length(clause)`)
    .orderBy(sql`clause collate "C"`)
    .execute();
}

interface DecisionRow {
  id: string;
  kind: Decision['kind'];
  outcome: DecisionOutcome | null;
  facts: string | null;
  source: DecisionSource;
  is_detection_automated: boolean;
  answer: string | null;
  decided_by_name: string;
  decided_at: Date;
  undone_at: Date | null;
  rule: z.input<typeof ruleSchema> | null;
  report_ids: string[];
}

const mostDecisions = 50;

async function decisionRows(db: Db, where: RawBuilder<unknown>): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select d.*, case when r.id is not null then jsonb_build_object('_id', r.id, 'clause', r.clause, 'version', r.version,
        'title', r.title, 'text', r.body, 'createdAt', r.created_at, 'createdBy', r.created_by) end as rule,
      array(select report_id from case_decision_report where decision_id = d.id) as report_ids
    from case_decision d left join community_rule r on r.id = d.rule_id
    where ${where} order by d.decided_at desc, d.id limit ${mostDecisions}`.execute(db);
  return rows.map((row) => ({
    ...row,
    rule: row.rule && { ...row.rule, createdAt: new Date(row.rule.createdAt) },
  }));
}

/** The decisions that match `where`, newest first, with their sanctions. `d` is the decision. */
export async function decisionsWhere(db: Db, where: RawBuilder<unknown>, now: Date) {
  const rows = await decisionRows(db, where);
  const ids = rows.map(({ id }) => id);
  const sanctions = await sanctionRows(db, sql`s.decision_id = any (${ids}::uuid[])`);
  return rows.map((row) => ({
    _id: row.id,
    kind: row.kind,
    outcome: row.outcome,
    rule: row.rule,
    facts: row.facts,
    source: row.source,
    isDetectionAutomated: row.is_detection_automated,
    answer: row.answer,
    by: row.decided_by_name,
    at: row.decided_at,
    isUndone: row.undone_at !== null,
    reportIds: row.report_ids,
    sanctions: sanctions.filter((one) => one.decision_id === row.id).map((one) => toSanction(one, now)),
  }));
}

/** The member who reads what was decided about them. If they are signed in, `addresses` signs small copies of removed pictures. */
interface StatementReader {
  accountId: string;
  addresses: MediaAddresses | null;
  now: Date;
}

/** What was removed, as its owner sees it, including which of the pictures it was and, with `addresses`, a small copy. */
function removedFrom(row: SanctionRow, { accountId, addresses, now }: StatementReader) {
  const removed = removedBy(row);
  if (removed?.type !== 'picture' || row.copy === null) return removed ?? undefined;
  const { pictures } = readCopy(row.copy);
  const index = pictures.findIndex(({ id }) => id === removed.key);
  const addressOf = addresses?.forSet(accountId, `sanction ${row.id}`, now, `removed=${row.id}&`);
  const isWithheld = row.content?.isWithheld === true;
  const thumbnailUrl = isWithheld ? null : (addressOf?.(pictures[index]?.key ?? '', 'thumbnail') ?? null);
  return { ...removed, ...(index !== -1 && { picture: { place: index + 1, count: pictures.length, thumbnailUrl } }) };
}

/** One of the decisions about a member, in the member's view. Throws 404. */
export async function statementOf(db: Db, { decisionId, accountId }: Appealable, now: Date) {
  const reader = { accountId, addresses: null, now };
  const [statement] = await statementsFor(db, reader, sql`s.decision_id = ${decisionId}::uuid`);
  if (statement === undefined) throw notFound();
  return statement;
}

/** The decisions about a member, newest first, in the member's view. `where` limits them by their sanction `s`. */
export async function statementsFor(
  db: Db,
  reader: StatementReader,
  where: RawBuilder<unknown> = sql`s.decision_id is not null`,
) {
  const { accountId, now } = reader;
  const sanctions = await sanctionRows(db, sql`s.account_id = ${accountId}::uuid and ${where}`);
  const ids = [...new Set(sanctions.flatMap(({ decision_id }) => decision_id ?? []))];
  const rows = await decisionRows(db, sql`d.id = any (${ids}::uuid[])`);
  const rights = await rightsOf(db, accountId, rows, now);
  const toStatement = (row: DecisionRow, appeal: AppealRight) => ({
    _id: row.id,
    at: row.decided_at,
    rule: row.rule && {
      clause: row.rule.clause,
      version: row.rule.version,
      title: row.rule.title,
      text: row.rule.text,
    },
    facts: row.facts ?? '',
    isDetectionAutomated: row.is_detection_automated,
    measures: sanctions
      .filter((one) => one.decision_id === row.id)
      .map((one) => ({
        _id: one.id,
        kind: one.kind,
        ...(one.content !== null && { content: removedFrom(one, reader) }),
        endsAt: one.ends_at,
        isLive: isLive(one, now),
        isRevoked: one.revoked_at !== null,
        needsAcknowledgement: one.kind === 'warn' && one.acknowledged_at === null && one.revoked_at === null,
      })),
    appeal,
  });
  return rows.flatMap((row) => {
    const appeal = rights.get(row.id);
    return appeal === undefined ? [] : [toStatement(row, appeal)];
  });
}

/** The strikes that count against an account now. */
export async function strikesAgainst(db: Db, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ strikes: number }>`
    select coalesce(sum(strikes), 0)::int as strikes from sanction
    where account_id = ${accountId}::uuid and revoked_at is null and strikes_until > ${now}`.execute(db);
  return rows[0]?.strikes ?? 0;
}
