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
import { identityProviders } from '#contract/auth/identities.ts';
import { cautions, meetingAnswers } from '#contract/messages.ts';
import { listedKinds, mailTimes, notificationKinds } from '#contract/notifications.ts';
import { pictureStates } from '#contract/media.ts';
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
import { reportPriorities, reportSources, reportStatuses, reportTypes } from '#contract/moderation/reports.ts';
import { timelineKinds } from '#contract/moderation/report-file.ts';
import { invoiceStatuses } from '#contract/subscriptions/subscriptions.ts';
import { bulkStates } from '#contract/moderation/bulk.ts';
import { templateKinds } from '#contract/moderation/templates.ts';
import { approvalVerdicts } from '#contract/profiles/approvals.ts';
import { exportStates } from '#contract/takeout.ts';
import { staffRoles } from '#contract/roles.ts';
import { bitOf } from '../../../src/features/discovery/deck/people.reads.ts';
import { cloneDatabase, type TestDatabase } from '../../harness.ts';

/** Columns with words of the contract, by the check constraint that lists them. */
const fromContract: Record<string, readonly string[]> = {
  account_link_kind_check: linkKinds,
  account_link_strength_check: linkStrengths,
  account_staff_role_check: staffRoles,
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
  data_export_state_check: exportStates,
  discovery_row_children_check: childrenAnswers,
  discovery_row_drinking_check: drinkingAnswers,
  discovery_row_exercise_check: exerciseAnswers,
  discovery_row_goal_check: relationshipGoals,
  discovery_row_smoking_check: smokingAnswers,
  identity_provider_check: identityProviders,
  invoice_plan_check: plans,
  invoice_status_check: invoiceStatuses,
  meeting_answer_answer_check: meetingAnswers,
  message_caution_check: cautions,
  moderation_case_critical_because_check: criticalReasons,
  moderation_case_priority_check: reportPriorities,
  moderation_case_stage_check: caseStages,
  notification_choice_kind_check: notificationKinds,
  notification_choice_mail_check: mailTimes,
  notification_kind_check: ['message', ...listedKinds],
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
  sanction_kind_check: sanctionKinds,
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

it('lists the same words in the check constraints as in the contract', async () => {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace and cardinality(conkey) = 1
      and pg_get_constraintdef(oid) ~ 'ARRAY\\['`);
  const lists = rows.map(({ name, definition }): [string, string[]] => [
    name,
    [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word ?? '').sort(),
  ]);
  const inContract = Object.entries(fromContract).map(([name, words]): [string, string[]] => [name, [...words].sort()]);
  expect(Object.fromEntries(lists.filter(([name]) => !internal.includes(name)))).toEqual(
    Object.fromEntries(inContract),
  );
  expect(lists.map(([name]) => name)).toEqual(expect.arrayContaining(internal));
});

it('ranks priorities in the order of the contract', async () => {
  const { rows } = await client.query<{ expression: string }>(`
    select pg_get_expr(adbin, adrelid) as expression from pg_attrdef
    where adrelid = 'report'::regclass and pg_get_expr(adbin, adrelid) like '%CASE priority%'`);
  const ranked = await client.query<{ priority: string }>(
    `select priority from unnest($1::text[]) as priority order by ${rows[0]?.expression ?? ''}`,
    [[...reportPriorities].sort()],
  );
  expect(ranked.rows.map(({ priority }) => priority)).toEqual(reportPriorities);
});

it('stores each gender as the bit that the code reads', async () => {
  const { rows } = await client.query<{ gender: (typeof genders)[number]; bit: number }>(
    'select gender, logic.gender_bit(gender) as bit from unnest($1::text[]) as gender',
    [genders],
  );
  expect(rows).toEqual(genders.map((gender) => ({ gender, bit: bitOf(gender) })));
  expect(rows.map(({ bit }) => bit).sort()).toEqual([1, 2, 4]);
});
