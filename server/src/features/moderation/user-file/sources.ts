import { type RawBuilder, sql } from 'kysely';
import type { AuditAction } from '#contract/moderation/audit.ts';
import type { caseEventKinds } from '#contract/moderation/cases.ts';
import { type FileKind, may, type Permission } from '#contract/roles.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';
import { scopeOf } from '../reports/reads.ts';

type Sql = RawBuilder<unknown>;

/** The columns of each source: the key, which is unique within its kind; then the colleague, what it opens, and its facts. */
export const sourceColumns = sql`(key, at, actor_id, actor_name, actor_role, opens, opens_id, facts)`;

const nobody = sql`null::uuid, null::text, null::text`;
const opensNothing = sql`null::text, null::uuid`;
/** A number as a string with the same sort order. */
const padded = (id: Sql) => sql`lpad(${id}::text, 19, '0')`;

const named = (id: Sql) => sql`(
  select jsonb_build_object('_id', p.account_id, 'name', nullif(concat_ws(' ', p.first_name, p.last_name), ''))
  from profile p where p.account_id = ${id})`;

/** The events of a case that show its progress; the case itself has all of them. */
const shownCaseEvents: (typeof caseEventKinds)[number][] = [
  'opened',
  'escalated',
  'raised_critical',
  'held',
  'hold_ended',
  'rule_hit',
  'waiting_authority',
  'closed',
  'reopened',
];

/** Reading the file itself is left out, because it happens with each view of the person. */
const reads: AuditAction[] = [
  'user.read',
  'pii.revealed',
  'subscription.read',
  'matching.explained',
  'user.viewedAsMember',
  'user.visibilityExplained',
];
const edits: AuditAction[] = ['user.edited', 'role.changed', 'user.sessionsEnded', 'user.factorsReset'];

const pictures: AuditAction[] = [
  'picture.approved',
  'picture.rejected',
  'selfie.approved',
  'selfie.again',
  'selfie.rejected',
];
const untagged: AuditAction[] = ['user.untagged'];
const endedGrants: AuditAction[] = ['premium.grantRevoked'];
/** A refused correction is left out, because it reveals that an address is in use, which each colleague may learn only a few times. */
const help: AuditAction[] = [
  'help.confirmationSent',
  'help.resetLinkSent',
  'help.addressCorrected',
  'help.correctionStopped',
  'help.signInUnlocked',
  'help.exportStarted',
  'help.restoreLinkSent',
];

/**
 * The acts of staff on an account, which several sources read. They are read at once and completely, because the audit trail has many
 * partitions, and its index by target is in the order of ids, not of time.
 */
export const aboutThem = (id: string) => sql`about_them as materialized (
  select * from audit_event where target_id = ${id}::uuid and target_type = 'user'
    and action = any (${[...reads, ...edits, ...pictures, ...untagged, ...endedGrants, ...help]}::text[]))`;

const audited = (actions: readonly AuditAction[], facts: Sql) => sql`
  select ${padded(sql`e.id`)}, e.at, e.actor_id, e.actor_name, e.actor_role, ${opensNothing}, jsonb_build_object(${facts})
  from about_them e where e.action = any (${actions}::text[])`;

/**
 * Mails about reports and decisions, which the file contains anyway. Next to the reports that a colleague may read, the mails would reveal
 * other reports, which may be about the colleague.
 */
const mailsOfMatters = ['reportReceived', 'decisionMade', 'appealDecided'];

/** Mails about other entries in the file, and the permission that these require. */
const mailNeeds: Record<string, Permission> = {
  casesDue: 'cases.list',
  casesWeek: 'cases.list',
  pictureRejected: 'pictures.review',
  selfieApproved: 'pictures.review',
  selfieAgain: 'pictures.review',
  selfieRejected: 'pictures.review',
  selfieExpired: 'pictures.review',
};

/** Until a member answers, only the sender and senior moderators can read a message to them. */
const opensReport = ({ accountId, staffRole }: Viewer) =>
  sql`(is_listed or opened_by = ${accountId}::uuid or ${may(staffRole, 'cases.lead')})`;

/**
 * The reports of a person on one side, with the person on the other. Cases that colleagues opened are listed among those about them, and
 * open the case. Messages that colleagues wrote first are also rows of reports, but have their own kind.
 */
const reportsOf = (id: string, viewer: Viewer, [side, other]: string[]) => sql`
  select id::text, coalesce(opened_at, created_at), opened_by, opened_by_name, null::text,
    case when source in ('own_initiative', 'automatic', 'outsider') then 'case' else 'report' end,
    case when source in ('own_initiative', 'automatic', 'outsider') then case_id else id end,
    jsonb_build_object('what', problem_type, 'state', status, 'priority', priority, 'source', source,
      'person', ${named(sql.ref(`report.${other}`))})
  from report where ${sql.ref(`report.${side}`)} = ${id}::uuid and deleted_at is null and source <> 'staff_message'
    and (source not in ('own_initiative', 'automatic', 'outsider') or ${may(viewer.staffRole, 'cases.list')})
    and ${scopeOf(viewer)} and ${seenBy(viewer, 'report', 'report')}`;

/** The sources of the entries of each kind, which all find those of one person by an index. */
export const sources: Record<FileKind, (id: string, viewer: Viewer) => Sql> = {
  report: (id, viewer) => reportsOf(id, viewer, ['reporter_id', 'reported_id']),
  reported: (id, viewer) => reportsOf(id, viewer, ['reported_id', 'reporter_id']),
  message: (id, viewer) => sql`
    select id::text, opened_at, opened_by, opened_by_name, null::text,
      case when ${opensReport(viewer)} then 'report' end, case when ${opensReport(viewer)} then id end,
      jsonb_build_object('what', case when is_listed then 'answered' else 'sent' end, 'state', status)
    from report where reporter_id = ${id}::uuid and source = 'staff_message' and deleted_at is null
      and ${scopeOf(viewer)} and ${seenBy(viewer, 'report', 'report')}`,
  case: (id) => sql`
    select ${padded(sql`e.id`)}, e.at, e.actor_id, e.actor_name, e.actor_role, 'case', c.id,
      jsonb_build_object('what', e.kind, 'state', coalesce(e.to_value, ''))
    from moderation_case c join case_event e on e.case_id = c.id
    where c.person_id = ${id}::uuid and e.kind = any (${shownCaseEvents}::text[])`,
  decision: (id) => sql`
    select d.id::text, d.decided_at, d.decided_by, d.decided_by_name, null, 'case', c.id,
      jsonb_build_object('what', coalesce(d.outcome, d.kind), 'isRevoked', d.undone_at is not null)
    from moderation_case c join case_decision d on d.case_id = c.id where c.person_id = ${id}::uuid`,
  sanction: (id) => sql`
    select s.id::text, s.starts_at, null::uuid, s.created_by_name, null, 'case', d.case_id, jsonb_build_object('what', s.kind,
      'strikes', s.strikes, 'endsAt', s.ends_at, 'isRevoked', s.revoked_at is not null)
    from sanction s left join case_decision d on d.id = s.decision_id where s.account_id = ${id}::uuid`,
  appeal: (id, viewer) => sql`
    select o.id::text, o.submitted_at, ${nobody}, 'appeal', o.id,
      jsonb_build_object('what', o.state, 'person', ${named(sql`o.account_id`)})
    from appeal o where ${seenBy(viewer, 'case', 'o.case_id')} and (o.account_id = ${id}::uuid
      or o.case_id = (select c.id from moderation_case c where c.person_id = ${id}::uuid))`,
  link: (id, viewer) => sql`
    select k.account_id || ' ' || k.sanction_id || ' ' || k.kind, k.found_at, ${nobody}, 'user', k.other_id,
      jsonb_build_object('what', k.kind, 'strength', k.strength, 'isReturn', k.is_return, 'isRevoked', k.revoked_at is not null,
        'person', ${named(sql`k.other_id`)})
    from (
      select k.*, s.revoked_at, s.account_id as other_id, false as is_return
      from account_link k join sanction s on s.id = k.sanction_id where k.account_id = ${id}::uuid
      union all
      select k.*, s.revoked_at, k.account_id, true
      from sanction s join account_link k on k.sanction_id = s.id where s.account_id = ${id}::uuid
    ) k where ${seenBy(viewer, 'person', 'k.other_id')}`,
  picture: () => audited(pictures, sql`'what', e.action`),
  subscription: (id) => sql`
    select s.id || ' ' || m.what, m.at, ${nobody}, ${opensNothing},
      jsonb_build_object('what', m.what, 'state', s.status, 'plan', s.plan)
    from subscription s cross join lateral (values
      ('started', s.created_at), ('canceled', s.canceled_at), ('ended', s.ended_at)) m (what, at)
    where s.account_id = ${id}::uuid and m.at is not null
    union all
    select g.id || ' granted', g.granted_at, null::uuid, g.granted_by_name, null::text, ${opensNothing},
      jsonb_build_object('what', 'granted', 'days', g.days, 'endsAt', g.ends_at, 'text', g.reason)
    from premium_grant g where g.account_id = ${id}::uuid
    union all ${audited(
      endedGrants,
      sql`'what', 'grantRevoked', 'days', (e.changes #>> '{days,from}')::int, 'text', coalesce(e.reason, '')`,
    )}`,
  payment: (id) => sql`
    select i.id || ' ' || m.what, m.at, ${nobody}, ${opensNothing},
      jsonb_build_object('what', m.what, 'amountMinor', m.amount, 'currency', i.currency, 'plan', i.plan)
    from invoice i cross join lateral (values
      (case i.status when 'refunded' then 'paid' else i.status end, i.created_at, i.total_minor),
      ('refunded', i.refunded_at, i.refunded_minor)) m (what, at, amount)
    where i.account_id = ${id}::uuid and i.status <> 'draft' and m.at is not null`,
  mail: (id, { staffRole }) => {
    const needed = Object.entries(mailNeeds).flatMap(([name, permission]) =>
      may(staffRole, permission) ? [] : [name],
    );
    const hidden = [...mailsOfMatters, ...needed];
    return sql`
      select m.id::text, m.created_at, ${nobody}, ${opensNothing}, jsonb_build_object('what', m.template, 'state', m.status)
      from mail m where m.account_id = ${id}::uuid and m.template <> all (${hidden}::text[])`;
  },
  // The devices of ended sessions are known for ninety days.
  signIn: (id) => sql`
    select md5(s.id::text), s.created_at, ${nobody}, ${opensNothing}, jsonb_build_object('what', 'session', 'device', s.device)
    from session s where s.account_id = ${id}::uuid
    union all
    select md5(d.device), max(d.last_seen_at), ${nobody}, ${opensNothing}, jsonb_build_object('what', 'device', 'device', d.device)
    from known_device d where d.account_id = ${id}::uuid
      and not exists (select from session s where s.account_id = ${id}::uuid and s.device = d.device)
    group by d.device`,
  help: () => audited(help, sql`'what', e.action, 'text', coalesce(e.reason, '')`),
  note: (id) => sql`
    select n.id::text, n.created_at, n.author_id, n.author_name, n.author_role, ${opensNothing},
      jsonb_build_object('text', n.text, 'isEdited', n.edited_at is not null)
    from staff_note n where n.account_id = ${id}::uuid`,
  tag: (id) => sql`
    select k.tag_id::text, k.added_at, k.added_by, k.added_by_name, k.added_by_role, ${opensNothing},
      jsonb_build_object('what', 'added', 'tag', g.name)
    from account_tag k join user_tag t on t.id = k.tag_id join user_tag g on g.id = coalesce(t.merged_into, t.id)
    where k.account_id = ${id}::uuid
    union all ${audited(untagged, sql`'what', 'removed', 'tag', e.changes #>> '{tag,from}'`)}`,
  profile: (id) => sql`
    select ${padded(sql`c.id`)}, c.at, ${nobody}, ${opensNothing},
      jsonb_build_object('what', 'own', 'fields', to_jsonb(c.fields))
    from profile_change c where c.account_id = ${id}::uuid
    union all ${audited(edits, sql`'what', e.action, 'changes', e.changes`)}`,
  read: () => audited(reads, sql`'what', e.action`),
};
