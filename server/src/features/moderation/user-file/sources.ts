import { type RawBuilder, sql } from 'kysely';
import type { AuditAction } from '#contract/moderation/audit.ts';
import type { caseEventKinds } from '#contract/moderation/cases.ts';
import { type FileKind, may, type Permission } from '#contract/roles.ts';
import type { Viewer } from '../../profiles/public.ts';
import { involves, scopeOf } from '../reports/reads.ts';

type Sql = RawBuilder<unknown>;

interface Source {
  /** Identifies an entry within its kind, and orders entries of the same moment. */
  key: Sql;
  at: Sql;
  /** The id, name and role of the colleague who did it. */
  actor?: [id: Sql, name: Sql, role: Sql];
  /** What the entry opens. */
  opens?: [type: Sql, id: Sql];
  facts: Record<string, Sql>;
  /** The tables and the condition. */
  from: Sql;
}

const none = sql`null`;

/** The entries of one source: key, at, actor, what they open, and facts. */
function select({ key, at, actor = [none, none, none], opens = [none, none], facts, from }: Source): Sql {
  const pairs = Object.entries(facts).flatMap(([name, value]) => [sql.lit(name), value]);
  return sql`select (${key})::text as key, ${at} as at, (${actor[0]})::uuid as actor_id, (${actor[1]})::text as actor_name,
    (${actor[2]})::text as actor_role, (${opens[0]})::text as opens, (${opens[1]})::uuid as opens_id,
    jsonb_build_object(${sql.join(pairs)}) as facts from ${from}`;
}

/** A number as a text that sorts like it. */
const padded = (id: Sql) => sql`lpad(${id}::text, 19, '0')`;

const named = (id: Sql) => sql`(
  select jsonb_build_object('_id', p.account_id, 'name', nullif(concat_ws(' ', p.first_name, p.last_name), ''))
  from profile p where p.account_id = ${id})`;

/** What staff did to the account. Found as a whole, because the index by person is in the order of ids, not of time. */
function audited(id: string, actions: readonly AuditAction[], facts: Source['facts']): Sql {
  const actor: Source['actor'] = [sql`e.actor_id`, sql`e.actor_name`, sql`e.actor_role`];
  const events = select({ key: padded(sql`e.id`), at: sql`e.at`, actor, facts, from: sql`about_them e` });
  return sql`with about_them as materialized (
    select * from audit_event where target_id = ${id}::uuid and target_type = 'user' and action = any (${actions}::text[])
  ) ${events}`;
}

/** The moments of a case that say how it went; the case itself has all of them. */
const shownCaseEvents: (typeof caseEventKinds)[number][] = [
  'opened',
  'escalated',
  'raised_critical',
  'waiting_authority',
  'closed',
  'reopened',
];

/** Reading the file itself is left out: it comes with each view of the person. */
const reads: AuditAction[] = ['user.read', 'pii.revealed', 'subscription.read', 'matching.explained'];
const changes: AuditAction[] = ['user.edited', 'role.changed', 'user.sessionsEnded', 'user.factorsReset'];

/** Mails that tell of something else in the file, and what that needs. */
const mailNeeds: Record<string, Permission> = {
  reportReceived: 'cases.list',
  decisionMade: 'cases.list',
  appealDecided: 'cases.list',
  casesDue: 'cases.list',
  casesWeek: 'cases.list',
  pictureRejected: 'pictures.review',
};

const reportsOf = (id: string, viewer: Viewer, side: 'reporter_id' | 'reported_id') => {
  const other = side === 'reporter_id' ? 'reported_id' : 'reporter_id';
  return select({
    key: sql`report.id`,
    at: sql`report.created_at`,
    opens: [sql`'report'`, sql`report.id`],
    facts: {
      what: sql`problem_type`,
      state: sql`status`,
      priority: sql`priority`,
      person: named(sql.ref(`report.${other}`)),
    },
    from: sql`report where ${sql.ref(`report.${side}`)} = ${id}::uuid and deleted_at is null and ${scopeOf(viewer)}
      and ${involves(viewer)} is not true`,
  });
};

/** Where the entries of each kind come from: each finds those of one person by an index. */
export const sources: Record<FileKind, (id: string, viewer: Viewer) => Sql> = {
  report: (id, viewer) => reportsOf(id, viewer, 'reporter_id'),
  reported: (id, viewer) => reportsOf(id, viewer, 'reported_id'),
  case: (id) =>
    select({
      key: padded(sql`e.id`),
      at: sql`e.at`,
      actor: [sql`e.actor_id`, sql`e.actor_name`, sql`e.actor_role`],
      opens: [sql`'case'`, sql`c.id`],
      facts: { what: sql`e.kind`, state: sql`coalesce(e.to_value, '')` },
      from: sql`moderation_case c join case_event e on e.case_id = c.id
        where c.person_id = ${id}::uuid and e.kind = any (${shownCaseEvents}::text[])`,
    }),
  decision: (id) =>
    select({
      key: sql`d.id`,
      at: sql`d.decided_at`,
      actor: [sql`d.decided_by`, sql`d.decided_by_name`, none],
      opens: [sql`'case'`, sql`c.id`],
      facts: { what: sql`coalesce(d.outcome, 'quick')`, isRevoked: sql`d.undone_at is not null` },
      from: sql`moderation_case c join case_decision d on d.case_id = c.id where c.person_id = ${id}::uuid`,
    }),
  sanction: (id) =>
    select({
      key: sql`s.id`,
      at: sql`s.starts_at`,
      actor: [none, sql`s.created_by_name`, none],
      opens: [sql`case when d.id is not null then 'case' end`, sql`d.case_id`],
      facts: {
        what: sql`s.kind`,
        strikes: sql`s.strikes`,
        endsAt: sql`s.ends_at`,
        isRevoked: sql`s.revoked_at is not null`,
      },
      from: sql`sanction s left join case_decision d on d.id = s.decision_id where s.account_id = ${id}::uuid`,
    }),
  appeal: (id, { accountId }) =>
    select({
      key: sql`o.id`,
      at: sql`o.submitted_at`,
      opens: [sql`'appeal'`, sql`o.id`],
      facts: { what: sql`o.state`, state: sql`o.party`, person: named(sql`o.account_id`) },
      from: sql`appeal o where (o.account_id = ${id}::uuid
          or o.case_id = (select c.id from moderation_case c where c.person_id = ${id}::uuid))
        and o.case_id <> all (array(select logic.own_cases(${accountId}::uuid)))`,
    }),
  link: (id, { accountId }) =>
    select({
      key: sql`k.account_id || ' ' || k.sanction_id || ' ' || k.kind`,
      at: sql`k.found_at`,
      opens: [sql`case when k.other_id is not null then 'user' end`, sql`k.other_id`],
      facts: {
        what: sql`k.kind`,
        strength: sql`k.strength`,
        isReturn: sql`k.is_return`,
        isRevoked: sql`k.revoked_at is not null`,
        person: named(sql`k.other_id`),
      },
      from: sql`(
        select k.*, s.revoked_at, s.account_id as other_id, false as is_return
        from account_link k join sanction s on s.id = k.sanction_id where k.account_id = ${id}::uuid
        union all
        select k.*, s.revoked_at, k.account_id, true
        from sanction s join account_link k on k.sanction_id = s.id where s.account_id = ${id}::uuid
      ) k where k.other_id is null or k.other_id <> all (array(select logic.people_involved(${accountId}::uuid)))`,
    }),
  picture: (id) => audited(id, ['picture.approved', 'picture.rejected'], { what: sql`e.action` }),
  subscription: (id) =>
    select({
      key: sql`s.id || ' ' || m.what`,
      at: sql`m.at`,
      facts: { what: sql`m.what`, state: sql`s.status`, plan: sql`s.plan` },
      from: sql`subscription s cross join lateral (values
          ('started', s.created_at), ('canceled', s.canceled_at), ('ended', s.ended_at)) m (what, at)
        where s.account_id = ${id}::uuid and m.at is not null`,
    }),
  payment: (id) =>
    select({
      key: sql`i.id || ' ' || m.what`,
      at: sql`m.at`,
      facts: { what: sql`m.what`, amountMinor: sql`m.amount`, currency: sql`i.currency`, plan: sql`i.plan` },
      from: sql`invoice i cross join lateral (values
          (case i.status when 'refunded' then 'paid' else i.status end, i.created_at, i.total_minor),
          ('refunded', i.refunded_at, i.refunded_minor)) m (what, at, amount)
        where i.account_id = ${id}::uuid and i.status <> 'draft' and m.at is not null`,
    }),
  mail: (id, { staffRole }) => {
    const hidden = Object.keys(mailNeeds).filter((name) => !may(staffRole, mailNeeds[name] ?? 'cases.list'));
    return select({
      key: sql`m.id`,
      at: sql`m.created_at`,
      facts: { what: sql`m.template`, state: sql`m.status` },
      from: sql`mail m where m.account_id = ${id}::uuid and m.template <> all (${hidden}::text[])`,
    });
  },
  // The devices of sessions that have ended are known for ninety days.
  signIn: (id) => sql`
    ${select({
      key: sql`md5(s.id::text)`,
      at: sql`s.created_at`,
      facts: { what: sql`'session'`, device: sql`s.device` },
      from: sql`session s where s.account_id = ${id}::uuid`,
    })} union all ${select({
      key: sql`md5(d.device)`,
      at: sql`d.at`,
      facts: { what: sql`'device'`, device: sql`d.device` },
      from: sql`(
        select device, max(last_seen_at) as at from known_device where account_id = ${id}::uuid group by device
      ) d where not exists (select from session s where s.account_id = ${id}::uuid and s.device = d.device)`,
    })}`,
  note: (id) =>
    select({
      key: sql`n.id`,
      at: sql`n.created_at`,
      actor: [sql`n.author_id`, sql`n.author_name`, sql`n.author_role`],
      facts: { text: sql`n.text`, isEdited: sql`n.edited_at is not null` },
      from: sql`staff_note n where n.account_id = ${id}::uuid`,
    }),
  tag: (id) => sql`
    ${select({
      key: sql`k.tag_id`,
      at: sql`k.added_at`,
      actor: [sql`k.added_by`, sql`k.added_by_name`, sql`k.added_by_role`],
      facts: { what: sql`'added'`, tag: sql`g.name` },
      from: sql`account_tag k join user_tag t on t.id = k.tag_id join user_tag g on g.id = coalesce(t.merged_into, t.id)
        where k.account_id = ${id}::uuid`,
    })} union all (${audited(id, ['user.untagged'], { what: sql`'removed'`, tag: sql`e.changes #>> '{tag,from}'` })})`,
  profile: (id) => sql`
    ${select({
      key: padded(sql`c.id`),
      at: sql`c.at`,
      facts: { what: sql`'own'`, fields: sql`to_jsonb(c.fields)` },
      from: sql`profile_change c where c.account_id = ${id}::uuid`,
    })} union all (${audited(id, changes, { what: sql`e.action`, changes: sql`e.changes` })})`,
  read: (id) => audited(id, reads, { what: sql`e.action` }),
};
