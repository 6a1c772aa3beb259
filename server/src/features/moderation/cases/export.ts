import type { Readable } from 'node:stream';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { AuditAction } from '#contract/moderation/audit.ts';
import type { exportDecidedCases } from '#contract/moderation/decided-cases.ts';
import { audit, given, givenFilters } from '#platform/db/audit.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { csvFile } from '#platform/http/csv.ts';
import type { CallContext } from '#platform/http/mount.ts';
import { textOf } from '#platform/texts.ts';
import {
  type DecidedPlace,
  decidedFiltersOf,
  type FoundDecision,
  isOverturned,
  searchDecided,
} from './decided.reads.ts';

const yesOrNo = (is: RawBuilder<boolean>) => sql<string>`case when ${is} then 'Yes' else 'No' end`;

/** The columns from decision `d`, its case `c` and rule `r`. Members are named by their id only. */
const columns: readonly (readonly [title: MessageDescriptor, value: RawBuilder<unknown>])[] = [
  [msg`Case ID`, sql`c.id::text`],
  [msg`Person ID`, sql`c.person_id::text`],
  [msg`Decided (UTC)`, sql`to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`],
  [msg`Outcome`, sql`coalesce(d.outcome, 'quick')`],
  [msg`Rule`, sql`r.clause`],
  [msg`Rule version`, sql`r.version::text`],
  [msg`Source`, sql`d.source`],
  [msg`Decided by`, sql`d.decided_by_name`],
  [
    msg`Measures`,
    sql`(select string_agg(distinct s.kind, ' ' order by s.kind) from sanction s where s.decision_id = d.id)`,
  ],
  [msg`Appealed`, yesOrNo(sql`exists (select from appeal o where o.decision_id = d.id)`)],
  [msg`Overturned`, yesOrNo(isOverturned(sql`d.id`))],
  [
    msg`Hours to decision`,
    sql`(select round(t.took_ms / 3600000.0, 1)::text from case_time t
      where t.case_id = d.case_id and t.what = 'decision' and t.at = d.decided_at limit 1)`,
  ],
  [msg`Facts`, sql`d.facts`],
];

async function rowsOf(db: Db, found: readonly FoundDecision[]): Promise<(string | null)[][]> {
  const { rows } = await sql<{ cells: (string | null)[] }>`
    select array[${sql.join(columns.map(([, value]) => value))}] as cells
    from case_decision d join moderation_case c on c.id = d.case_id left join community_rule r on r.id = d.rule_id
    where d.id = any (${found.map(({ decision_id }) => decision_id)}::uuid[]) order by d.decided_at desc, d.id desc`.execute(
    db,
  );
  return rows.map(({ cells }) => cells);
}

const batchSize = 500;

/** Exports the closed cases that a search finds. Audits it before the first row is sent, and at the end what was sent. */
export async function exportDecided(
  { deps, caller, now }: Pick<CallContext, 'deps' | 'caller' | 'now'>,
  { view, reason, ...query }: QueryOf<typeof exportDecidedCases>,
): Promise<Readable> {
  const filters = decidedFiltersOf({ ...query, view }, caller, now) ?? {};
  const record = (action: AuditAction, values: Record<string, unknown>) =>
    inTransaction(deps.db, (tx) =>
      audit({ tx, caller, now }, { type: 'cases', id: null }, action, { reason, changes: given(values) }),
    );
  await record('cases.exported', { view, filters: givenFilters(filters) });
  // All batches come from one server, so that none is older than the one before.
  const { db } = await deps.reads.upToDate();
  async function* batches() {
    let after: DecidedPlace | null = null;
    do {
      const search = { filters, isAppealed: view === 'appealed', after, limit: batchSize };
      const { found, next }: Awaited<ReturnType<typeof searchDecided>> = await searchDecided(db, caller, search);
      if (found.length > 0) yield await rowsOf(db, found);
      after = next;
    } while (after !== null);
  }
  const titles = columns.map(([title]) => textOf(title));
  return csvFile(titles, batches(), ({ rows, sha256 }) => record('cases.downloaded', { rows, sha256 }));
}
