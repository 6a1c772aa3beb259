import { sql } from 'kysely';
import { datePlanKeptDays, exportKeptDays, unclaimedUploadHours } from '#contract/constants.ts';
import { dryRunDays, ruleFactDays } from '#contract/moderation/automatic-rules.ts';
import { staffReadKeptDays } from '#contract/moderation/own-file.ts';
import { secondLookKeptDays } from '#contract/moderation/second-looks.ts';
import { isUnpreserved } from '../db/preservation.ts';
import { dayOf, secondsAfter } from '../process/clock.ts';

const ago = (now: Date, days: number) => secondsAfter(now, -days * 86_400);
const dayBefore = (now: Date, days: number) => sql`${dayOf(ago(now, days))}::date`;

/** Conditions of the map `people` that are more than a time in a column: rows that match have expired. */
export const isOldFact = (now: Date) => sql`day < ${dayBefore(now, ruleFactDays)}`;
export const isOldStaffRead = (now: Date) => sql`shown_on < ${dayBefore(now, staffReadKeptDays)}`;
export const isOfEarlierDay = (now: Date) => sql`seen_on < ${dayBefore(now, 0)}`;
/** Failed jobs, whose payloads contain account ids. */
export const isOldJob = (now: Date) =>
  sql`attempts >= max_attempts and locked_at is null and run_at <= ${ago(now, 14)}`;
export const isOldDeck = (now: Date) => sql`made_at < ${ago(now, 2)}`;
/** Examples of dry runs that are too old for switching on. */
export const isOldExample = (now: Date) => sql`rule_id in (select id from automatic_rule
  where (dry_run ->> 'startedAt')::timestamptz <= ${ago(now, dryRunDays)}::timestamptz)`;
export const isOldExport = (now: Date) =>
  sql`ready_at <= ${ago(now, exportKeptDays)} or state <> 'ready' and asked_at <= ${ago(now, 1)}`;
export const isOldPlan = (now: Date) => sql`at <= ${ago(now, datePlanKeptDays)} or state in ('canceled', 'replaced')
  and decided_at <= ${ago(now, datePlanKeptDays)}
  and not exists (select from date_share s where s.plan_id = date_plan.id)`;
export const isOldUpload = (now: Date) =>
  sql`state = 'unclaimed' and uploaded_at <= ${ago(now, unclaimedUploadHours / 24)}`;
export const isOldWarning = (now: Date) => sql`due_at is null and warned_at <= ${ago(now, 730)}`;
export const isOldRemoval = (now: Date) => sql`link_expires_at <= ${now} and stop_hash is null`;
export const isOldCounter = (now: Date) => sql`expire <= ${now.getTime()}`;
export const isUnjudged = (now: Date) => sql`judged_at is null and drawn_at < ${ago(now, secondLookKeptDays)}`;
export const isPaid = () => sql`account_id is null and paid_at is not null`;

/** Conditions on rows that no legal hold keeps, by the rows they refer to. */
export const isOfUnheldBan = () => sql<boolean>`sanction_id in (select id from sanction where ${isUnpreserved()})`;
export const isFreeOfBoth = () => sql<boolean>`exists (select from conversation c
  where c.id = conversation_id and ${isUnpreserved('c.low_id')} and ${isUnpreserved('c.high_id')})`;
