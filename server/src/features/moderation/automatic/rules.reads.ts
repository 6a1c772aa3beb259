import { type Selectable, sql } from 'kysely';
import type { HitOutcome } from '#contract/moderation/automatic-rules.ts';
import { smallestGroup } from '#contract/insights/series.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { fullName } from '#platform/session/own-user.ts';
import { seenBy, type Staff } from '#platform/session/access.ts';
import { dayOf } from '#platform/process/clock.ts';
import { countsAs } from '../user-file/tags.reads.ts';
import { judgeGroups } from './policy.ts';

interface RuleRow extends Selectable<Database['automatic_rule']> {
  /** The tag that a rule adds: the one that replaced its own, or none once that is retired. */
  tag: { id: string; name: string } | null;
  hits: Partial<Record<'open' | HitOutcome, number>>;
  sightings: number;
  examples: { id: string; first_name: string | null; last_name: string | null }[];
}

/**
 * The rules by name, or only the one with `id`. Examples of a dry run leave out people the viewer may not see, such as people in whose
 * cases they are a party.
 */
export async function readRules(db: Db, viewer: Staff, now: Date, id: string | null = null) {
  const { rows } = await sql<RuleRow>`
    select r.*, (select jsonb_build_object('id', g.id, 'name', g.name) from user_tag g
        where g.id = ${countsAs(sql`r.actions ->> 'tagId'`)} and g.retired_at is null) as tag,
      (select coalesce(jsonb_object_agg(outcome, count), '{}') from (
        select coalesce(outcome, 'open') as outcome, count(*)::int as count from rule_hit where rule_id = r.id group by 1
      ) counted) as hits,
      (select count(*)::int from rule_sighting where rule_id = r.id) as sightings,
      (select coalesce(jsonb_agg(jsonb_build_object('id', p.account_id, 'first_name', p.first_name, 'last_name', p.last_name)
          order by p.account_id), '[]')
        from dry_run_example e join profile p on p.account_id = e.account_id
        where e.rule_id = r.id and ${seenBy(viewer, 'reach', 'e.account_id')}) as examples
    from automatic_rule r where r.retired_at is null and (${id}::uuid is null or r.id = ${id}::uuid)
    order by r.name collate "und-x-icu", r.id`.execute(db);
  return rows.map((row) => toRule(row, now));
}

/** How many rules only watch, and how many people they would have hit. */
export async function watchingRules(db: Db, now: Date): Promise<{ rules: number; people: number }> {
  const { rows } = await sql<{ rules: number; people: number }>`
    select count(distinct r.id)::int as rules, count(distinct s.account_id)::int as people
    from automatic_rule r left join rule_sighting s on s.rule_id = r.id
    where r.is_watching and r.retired_at is null and r.expires_on >= ${dayOf(now)}::date`.execute(db);
  return rows[0] ?? { rules: 0, people: 0 };
}

function toRule(row: RuleRow, now: Date) {
  const { switched_at: at, switched_by_name: by, switch_reason: reason } = row;
  const { open = 0, confirmed = 0, cleared = 0, expired = 0 } = row.hits;
  return {
    _id: row.id,
    name: row.name,
    version: row.version,
    conditions: row.conditions,
    actions: { ...row.actions, tagId: row.tag?.id ?? null, tagName: row.tag?.name ?? null },
    expiresOn: row.expires_on,
    isOn: row.is_on,
    isWatching: row.is_watching,
    isExpired: row.expires_on < dayOf(now),
    changedAt: row.changed_at,
    changedBy: row.changed_by_name,
    switched: at === null || by === null ? null : { at, by, reason },
    dryRun: toDryRun(row),
    hits: { open, confirmed, cleared, expired },
    sightings: row.sightings,
  };
}

function toDryRun({ dry_run: run, examples }: RuleRow) {
  if (run === null) return null;
  const { startedAt, finishedAt, examined, total, hits } = run;
  const groups = judgeGroups(run.groups, { people: examined, hits });
  return {
    isDone: finishedAt !== null,
    examined,
    total,
    hits,
    startedAt,
    finishedAt,
    examples: examples.map((one) => ({ _id: one.id, name: fullName(one.first_name, one.last_name) })),
    groups: groups
      .filter(({ people }) => people >= smallestGroup)
      .sort((one, other) => other.people - one.people || one.group.localeCompare(other.group)),
    needsReason: groups.some(({ isUneven }) => isUneven),
  };
}
