import { sql } from 'kysely';
import type { Reactions } from '../../../events.ts';

export const reportReactions: Reactions = {
  async renamed(tx, { accountId }) {
    await sql`update report r
      set search_text = logic.report_search_text(r.id, r.description, r.reporter_id, r.reported_id)
      where r.reporter_id = ${accountId}::uuid or r.reported_id = ${accountId}::uuid`.execute(tx);
  },
  // A random value replaces each person: reports about the same one still belong together, and no longer name anyone.
  async accountsEnding(tx, { accountIds }) {
    await sql`
      with gone as materialized (select id, gen_random_uuid() as alias from unnest(${accountIds}::uuid[]) as id)
      update report r set
        reporter_id = case when reporter.id is null then r.reporter_id end,
        reporter_alias = coalesce(reporter.alias, r.reporter_alias),
        reported_id = case when reported.id is null then r.reported_id end,
        reported_alias = coalesce(reported.alias, r.reported_alias),
        named_id = case when reported.id is null then r.named_id end,
        named_name = case when reported.id is null then r.named_name end,
        search_text = lower(r.description || E'\n' || r.id::text)
      from report own
        left join gone reporter on reporter.id = own.reporter_id
        left join gone reported on reported.id = own.reported_id
      where own.id = r.id
        and (own.reporter_id = any (${accountIds}::uuid[]) or own.reported_id = any (${accountIds}::uuid[]))`.execute(
      tx,
    );
  },
};
