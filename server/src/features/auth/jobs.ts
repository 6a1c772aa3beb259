import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { idempotencyHours, knownDeviceDays } from '#contract/constants.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import { isUnpreserved } from '#platform/db/preservation.ts';
import { emailPayload, idPayload, job } from '#platform/jobs/job.ts';
import { deleteWhere, updateWhere } from '#platform/jobs/due-rows.ts';
import { eachInTurn, inTurn } from '#platform/jobs/turns.ts';
import { notifyAddressInUse } from './address/change.ts';
import { formerAddressDays } from './address/changes.ts';
import { endDueRestores } from './address/restore.ts';
import { mailReset } from './password/password.ts';
import { endDueRemovals } from './factors/removal.ts';
import { forgetMessages, unkeptEntries, writeEntry } from './retention/ledger.ts';
import { endLeaving, endUnverified, endWarned, warnUnused } from './retention/retention.ts';
import { confirmSessions } from './house/confirm.ts';
import { isOldAttempt } from './session/throttle.ts';
import { resendToAddress } from './join/mailed-codes.ts';
import { mailTakenAddress } from './join/taken-address.ts';

const day = 86_400;
const mailDays = 90;
const failedJobDays = 14;
/** How long a repeated refresh gets the answer that was lost. */
const answerSeconds = 300;

const asksAgain = { harmless: 'Whoever waits for the mail asks for another.' };

/**
 * Background jobs of accounts: emails whose timing must not reveal whether an address is known, the daily clean-up, and
 * the deletion of accounts that were closed, never verified or unused.
 */
export const authJobs = [
  job({ name: 'auth.forgotPassword', payload: emailPayload, sweep: asksAgain, run: mailReset }),
  job({
    name: 'auth.resendVerification',
    payload: z.object({ email: z.string(), handleHash: z.string() }),
    sweep: asksAgain,
    run: (deps, { email, handleHash }) =>
      resendToAddress(deps, email, Buffer.from(handleHash, 'base64url'), deps.clock.now()),
  }),
  job({
    name: 'auth.addressInUse',
    payload: z.object({ email: z.string(), askedBy: z.string() }),
    sweep: asksAgain,
    run: (deps, { email, askedBy }) => notifyAddressInUse(deps, email, askedBy, deps.clock.now()),
  }),
  job({ name: 'auth.takenAddress', payload: emailPayload, sweep: asksAgain, run: mailTakenAddress }),
  job({
    name: 'auth.writeLedger',
    payload: idPayload,
    sweep: { owed: () => unkeptEntries },
    slots: 'outside',
    run: writeEntry,
  }),
  job({ name: 'auth.forgetActs', cron: '31 3 * * *', run: forgetMessages }),
  job({ name: 'auth.cleanUp', cron: '17 3 * * *', run: cleanUp }),
  job({
    name: 'auth.endAccounts',
    cron: '29 3 * * *',
    run(deps) {
      const now = deps.clock.now();
      return eachInTurn([endLeaving, endUnverified, endWarned, warnUnused], (step) => step(deps, now));
    },
  }),
  job({ name: 'auth.removeFactors', cron: '41 * * * *', run: (deps) => endDueRemovals(deps, deps.clock.now()) }),
  job({
    name: 'auth.confirmHouse',
    cron: '*/5 * * * *',
    slots: 'outside',
    run: (deps) => confirmSessions(deps, deps.clock.now()),
  }),
  job({ name: 'auth.restoreAddresses', cron: '43 * * * *', run: (deps) => endDueRestores(deps, deps.clock.now()) }),
];

/** Deletes expired rows, each kind on its own, so that a failing kind does not delay the others. */
async function cleanUp({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const ago = (seconds: number) => secondsAfter(now, -seconds);
  const over: [table: string, isOver: RawBuilder<unknown>][] = [
    ['session', sql`idle_expires_at <= ${now} and ${isUnpreserved()}`],
    ['session', sql`expires_at <= ${now} and ${isUnpreserved()}`],
    ['verification', sql`created_at <= ${ago(day)}`],
    ['former_address', sql`changed_at <= ${ago(formerAddressDays * day)} and ${isUnpreserved()}`],
    ['former_password', sql`replaced_at <= ${ago(formerAddressDays * day)}`],
    ['password_reset', sql`expires_at <= ${now}`],
    ['idempotency', sql`created_at <= ${ago(idempotencyHours * 3600)}`],
    ['login_attempt', isOldAttempt(now)],
    ['rate_limit', sql`expire <= ${now.getTime()}`],
    ['place_move', sql`moved_at <= ${ago(2 * day)} and ${isUnpreserved()}`],
    ['mail', sql`created_at <= ${ago(mailDays * day)} and ${isUnpreserved()}`],
    ['refused_address', sql`refused_until <= ${now}`],
    ['totp_setup', sql`expires_at <= ${now}`],
    ['sign_in_challenge', sql`expires_at <= ${now}`],
    ['passkey_challenge', sql`expires_at <= ${now}`],
    ['factor_removal', sql`link_expires_at <= ${now} and stop_hash is null`],
    ['known_device', sql`last_seen_at <= ${ago(knownDeviceDays * day)} and ${isUnpreserved()}`],
    ['identity_claim', sql`expires_at <= ${now}`],
    ['used_token', sql`expires_at <= ${now}`],
    // The payloads of failed jobs contain account ids.
    [
      'graphile_worker._private_jobs',
      sql`attempts >= max_attempts and locked_at is null and run_at <= ${ago(failedJobDays * day)}`,
    ],
  ];
  const deletions = over.map(
    ([table, isOver]) =>
      () =>
        deleteWhere(db, table, isOver),
  );
  const isSealed = sql`used_at < ${ago(answerSeconds)} and sealed_answer is not null`;
  const forgetAnswers = () => updateWhere(db, 'refresh_token', sql`sealed_answer = null`, isSealed);
  await inTurn(forgetAnswers, ...deletions);
}
