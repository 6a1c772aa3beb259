import { sql } from 'kysely';
import { keyedHash } from '../../../platform/config/secrets.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { isSafety, safetyTypes } from '../cases/policy.ts';
import type { ReportOfCase } from '../cases/policy.ts';
import { isCredible, mayHold, type ReportFacts } from './report-power.policy.ts';

const daySeconds = 86_400;
/** For how long a rejected report takes the reporter's power. */
const rejectedDays = 180;

/** A new report about someone whose account is locked. */
interface NewReport extends Pick<ReportOfCase, 'problem_type' | 'may_be_minor'> {
  id: string;
  caseId: string;
  personId: string;
}

type FoundFacts = Omit<ReportFacts, 'hasConfirmedAddress' | 'isDayOld' | 'hasSecond'> & { secondId: string | null };

/**
 * Judges whether a new report may hold the person, and stores it: what the reporter was shown may change later. Must run before anything
 * separates the two. A second reporter gives the first one's report the same power. Reports of the same reporter or network wait for each
 * other until the transaction ends, so that they can't pass the limits together.
 */
export async function judgePower(
  { tx, deps, caller, now, network: from }: CommandContext,
  report: NewReport,
): Promise<void> {
  const network = keyedHash(deps.banKey, `network ${from}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(subject, 13))
    from unnest(${[caller.accountId, network.toString('hex')].toSorted()}::text[]) subject`.execute(tx);
  const { secondId, ...found } = await factsOf(tx, { ...report, reporterId: caller.accountId, network }, now);
  const facts = {
    ...found,
    hasConfirmedAddress: caller.emailVerifiedAt !== null,
    isDayOld: caller.createdAt <= secondsAfter(now, -daySeconds),
    hasSecond: secondId !== null && isSafety(report),
  };
  const may_hold = mayHold(facts);
  const power = { network, is_credible: isCredible(facts), may_hold };
  await tx
    .insertInto('report_power')
    .values({ report_id: report.id, filed_at: now, ...power })
    .execute();
  if (may_hold && facts.hasSecond)
    await tx.updateTable('report_power').set({ may_hold }).where('report_id', '=', secondId).execute();
}

/** Notes that a report has held the person, for the limits. */
export async function noteHold(tx: Db, reportId: string, now: Date): Promise<void> {
  await tx.updateTable('report_power').set({ held_at: now }).where('report_id', '=', reportId).execute();
}

async function factsOf(
  tx: Db,
  { caseId, personId, reporterId, network }: NewReport & { reporterId: string; network: Buffer },
  now: Date,
): Promise<FoundFacts> {
  const [person, reporter, itsCase] = [sql`${personId}::uuid`, sql`${reporterId}::uuid`, sql`${caseId}::uuid`];
  const yesterday = sql`${secondsAfter(now, -daySeconds)}::timestamptz`;
  const { rows } = await sql<FoundFacts>`
    select
      exists (select from report where reporter_id = ${reporter} and reported_id is not null and status = 'rejected'
        and created_at > ${secondsAfter(now, -rejectedDays * daySeconds)}::timestamptz) as "wasRejected",
      exists (select from decision where viewer_id = ${person} and target_id = ${reporter} and kind = 'like')
        or exists (select from conversation where low_id = least(${person}, ${reporter}) and high_id = greatest(${person}, ${reporter}))
        or exists (select from deck d join seen_people s using (viewer_id)
          where viewer_id = ${reporter} and ${person} = any (d.targets) and ${person} = any (s.ids)) as "wasShown",
      (select r.id from report r join report_power p on p.report_id = r.id
        where r.case_id = ${itsCase} and p.is_credible and p.network <> ${network} and r.deleted_at is null and r.status <> 'rejected'
          and (r.may_be_minor or r.problem_type = any (${safetyTypes}::text[]))
          and r.reporter_id not in (select logic.own_accounts(${reporter}))
        order by r.created_at desc, r.id limit 1) as "secondId",
      greatest(
        (select max(coalesce(undone_at, decided_at)) from case_decision
          where case_id = ${itsCase} and (undone_at is null and outcome in ('no_violation', 'unfounded') or undone_at is not null and outcome = 'actioned')),
        (select max(ended_at) from account_hold where case_id = ${itsCase} and released_by_name is not null)
      ) > coalesce((select confirmed_at from moderation_case where id = ${itsCase}), '-infinity') is true as "isCleared",
      (select count(*) from report r join report_power p on p.report_id = r.id
        where r.reporter_id = ${reporter} and r.created_at > ${yesterday} and p.held_at is not null)::int as "holdsByReporter",
      (select count(*) from report_power where network = ${network} and held_at > ${yesterday})::int as "holdsFromNetwork"`.execute(
    tx,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('a query without a table returns one row');
  return facts;
}
