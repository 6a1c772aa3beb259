import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyReply } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { exportDecidedCases } from '#contract/moderation/decided-cases.ts';
import { givenFilters } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { sendList } from '#platform/http/csv.ts';
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

/** Exports the closed cases that match a search. */
export async function exportDecided(
  context: Parameters<typeof sendList>[0],
  { view, reason, ...query }: QueryOf<typeof exportDecidedCases>,
): Promise<FastifyReply> {
  const { caller, now } = context;
  const filters = decidedFiltersOf({ ...query, view }, caller, now) ?? {};
  async function* batches(db: Db) {
    let after: DecidedPlace | null = null;
    do {
      const search = { filters, isAppealed: view === 'appealed', after, limit: batchSize };
      const { found, next }: Awaited<ReturnType<typeof searchDecided>> = await searchDecided(db, caller, search);
      yield await rowsOf(db, found);
      after = next;
    } while (after !== null);
  }
  return await sendList(context, {
    name: 'cases',
    columns,
    reason,
    searched: { view, filters: givenFilters(filters) },
    batches,
  });
}
