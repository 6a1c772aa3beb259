import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  genders,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { ageStates } from '#contract/age-check.ts';
import { funnelSteps } from '#contract/insights/cohorts.ts';
import { identityProviders } from '#contract/auth/identities.ts';
import { dateStates } from '#contract/constants.ts';
import { messageMediaKinds } from '#contract/messages/message-parts.ts';
import { cautions, meetingAnswers, reactionEmojis } from '#contract/messages/messages.ts';
import { listedKinds, mailTimes, notificationKinds } from '#contract/notifications.ts';
import { pictureStates } from '#contract/media.ts';
import { selfieStates } from '#contract/photo-verification.ts';
import { plans, subscriptionStatuses } from '#contract/subscriptions/plan.ts';
import {
  appealParties,
  appealStates,
  decisionKinds,
  decisionOutcomes,
  decisionSources,
  sanctionKinds,
} from '#contract/moderation/decisions.ts';
import {
  caseEventKinds,
  caseHours,
  caseStages,
  criticalReasons,
  linkKinds,
  linkStrengths,
} from '#contract/moderation/cases.ts';
import { emergencyKinds, preservedCopyKinds } from '#contract/moderation/emergencies.ts';
import { holdCauses, holdOutcomes } from '#contract/moderation/holds.ts';
import { hitOutcomes } from '#contract/moderation/automatic-rules.ts';
import { outsiderTypeNames } from '#contract/moderation/outsider-types.ts';
import { staffReadKinds } from '#contract/moderation/own-file.ts';
import { reportPriorities, reportStatuses, reportTypes } from '#contract/moderation/reports.ts';
import { reportSources } from '#contract/moderation/staff-reports.ts';
import { timelineKinds } from '#contract/moderation/report-file.ts';
import { invoiceStatuses } from '#contract/subscriptions/subscriptions.ts';
import { bulkStates } from '#contract/moderation/bulk.ts';
import { viewScreens } from '#contract/moderation/saved-views.ts';
import { templateKinds } from '#contract/moderation/templates.ts';
import { approvalVerdicts } from '#contract/profiles/approvals.ts';
import { exportStates } from '#contract/takeout.ts';
import { staffRoles } from '#contract/staff-roles.ts';
import { bitOf } from '../../../src/features/discovery/deck/people.reads.ts';
import { cloneDatabase, type TestDatabase } from '../../harness.ts';
import { textKinds } from '#contract/service/text-kinds.ts';

/** Columns with words from the contract, by the check constraint that lists them. */
const fromContract: Record<string, readonly string[]> = {
  published_text_kind_check: textKinds,
  account_hold_cause_check: holdCauses,
  account_hold_outcome_check: holdOutcomes,
  account_link_kind_check: linkKinds,
  account_link_strength_check: linkStrengths,
  account_staff_role_check: staffRoles,
  message_media_kind_check: messageMediaKinds,
  age_check_state_check: ageStates.filter((state) => state !== 'expired'),
  appeal_party_check: appealParties,
  appeal_state_check: appealStates,
  approval_verdict_check: approvalVerdicts,
  ban_trace_kind_check: linkKinds,
  bulk_act_state_check: bulkStates,
  case_decision_kind_check: decisionKinds,
  case_decision_outcome_check: decisionOutcomes,
  case_decision_source_check: decisionSources,
  case_event_actor_role_check: ['member', 'system', ...staffRoles],
  case_event_kind_check: caseEventKinds,
  case_time_priority_check: reportPriorities,
  case_time_what_check: Object.keys(caseHours.other),
  case_view_screen_check: viewScreens,
  data_export_state_check: exportStates,
  date_plan_state_check: dateStates,
  discovery_row_children_check: childrenAnswers,
  discovery_row_drinking_check: drinkingAnswers,
  discovery_row_exercise_check: exerciseAnswers,
  discovery_row_goal_check: relationshipGoals,
  discovery_row_smoking_check: smokingAnswers,
  emergency_kind_check: emergencyKinds,
  identity_provider_check: identityProviders,
  invoice_plan_check: plans,
  invoice_status_check: invoiceStatuses,
  legal_hold_copy_kind_check: preservedCopyKinds,
  meeting_answer_answer_check: meetingAnswers,
  message_caution_check: cautions,
  message_reaction_emoji_check: reactionEmojis,
  milestone_step_check: funnelSteps.slice(1),
  moderation_case_critical_because_check: criticalReasons,
  moderation_case_priority_check: reportPriorities,
  moderation_case_stage_check: caseStages,
  notification_choice_kind_check: notificationKinds,
  notification_choice_mail_check: mailTimes,
  notification_kind_check: ['message', ...listedKinds],
  outsider_notice_type_check: outsiderTypeNames,
  picture_state_check: ['unclaimed', ...pictureStates],
  profile_gender_check: genders,
  profile_seeking_check: genders,
  reply_template_kind_check: templateKinds,
  report_event_actor_role_check: ['reporter', 'system', ...staffRoles],
  report_event_kind_check: timelineKinds,
  report_first_priority_check: reportPriorities,
  report_priority_check: reportPriorities,
  report_source_check: reportSources,
  report_problem_type_check: reportTypes,
  report_reply_author_role_check: ['reporter', ...staffRoles],
  report_status_check: reportStatuses,
  rule_hit_outcome_check: hitOutcomes,
  sanction_kind_check: sanctionKinds,
  selfie_check_state_check: selfieStates,
  staff_read_kind_check: staffReadKinds,
  staff_read_shown_as_check: staffReadKinds,
  subscription_pending_plan_check: plans,
  subscription_plan_check: plans,
  subscription_status_check: subscriptionStatuses,
};

/** Columns with words that only the server uses. */
const internal = [
  'bulk_act_item_outcome_check',
  'decision_kind_check',
  'identity_claim_purpose_check',
  'ledger_entry_act_check',
  'listed_person_address_check',
  'mail_status_check',
  'report_evidence_kind_check',
  'verification_asked_by_check',
  'verification_purpose_check',
];

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('check constraints list the same words as the contract', async () => {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace and cardinality(conkey) = 1
      and pg_get_constraintdef(oid) ~ 'ARRAY\\['`);
  const lists = rows.map(({ name, definition }): [string, string[]] => [
    name,
    [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word ?? '').sort(),
  ]);
  const inContract = Object.entries(fromContract).map(([name, words]): [string, string[]] => [name, [...words].sort()]);
  const inDatabase = lists.filter(([name]) => !internal.includes(name));
  expect(Object.fromEntries(inDatabase), 'Add new lists to `fromContract` or `internal` above').toEqual(
    Object.fromEntries(inContract),
  );
  expect(lists.map(([name]) => name)).toEqual(expect.arrayContaining(internal));
});

it('reports store the rank of their priority in the contract’s order', async () => {
  const { rows } = await client.query<{ expression: string }>(`
    select pg_get_expr(adbin, adrelid) as expression from pg_attrdef
    where adrelid = 'report'::regclass and pg_get_expr(adbin, adrelid) like '%CASE priority%'`);
  const ranked = await client.query<{ priority: string }>(
    `select priority from unnest($1::text[]) as priority order by ${rows[0]?.expression ?? ''}`,
    [[...reportPriorities].sort()],
  );
  expect(ranked.rows.map(({ priority }) => priority)).toEqual(reportPriorities);
});

it('logic.gender_bit returns the bit that the code reads', async () => {
  const { rows } = await client.query<{ gender: (typeof genders)[number]; bit: number }>(
    'select gender, logic.gender_bit(gender) as bit from unnest($1::text[]) as gender',
    [genders],
  );
  expect(rows).toEqual(genders.map((gender) => ({ gender, bit: bitOf(gender) })));
  expect(rows.map(({ bit }) => bit).sort()).toEqual([1, 2, 4]);
});

const architecture = readFileSync(resolve(import.meta.dirname, '../../../../docs/architecture.md'), 'utf8');

it('the database has exactly the triggers that docs/architecture.md explains', async () => {
  const { rows } = await client.query<{ trigger: string }>(`
    select tgrelid::regclass || ' ' || tgname as trigger from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and not c.relispartition and c.relnamespace <> to_regnamespace('graphile_worker')`);
  const documented = [...architecture.matchAll(/^- `(\w+)` `(\w+)`:/gm)].map(([, table, name]) => `${table} ${name}`);
  expect(rows.map(({ trigger }) => trigger).sort()).toEqual(documented.sort());
});

it('the database refuses a match despite a block and a block despite a match, even in direct SQL', async () => {
  const { rows } = await client.query<{ id: string }>(
    `insert into account (email) values ('a@pair.test'), ('b@pair.test') returning id`,
  );
  const [low, high] = rows.map(({ id }) => id).sort();
  const match = () =>
    client.query('insert into match (low_id, high_id, matched_at) values ($1, $2, now())', [low, high]);
  const block = () =>
    client.query('insert into block (blocker_id, blocked_id, created_at) values ($1, $2, now())', [high, low]);
  await match();
  await expect(block()).rejects.toMatchObject({ constraint: 'no_match_beside_block' });
  await client.query('delete from match');
  await block();
  await expect(match()).rejects.toMatchObject({ constraint: 'no_match_beside_block' });
});
