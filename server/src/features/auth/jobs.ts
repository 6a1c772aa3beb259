import { sql } from 'kysely';
import * as z from 'zod/mini';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import { emailPayload, idPayload, job } from '#platform/jobs/job.ts';
import { updateWhere } from '#platform/jobs/due-rows.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { deleteOver, forgetJob } from '#platform/people/forget.ts';
import { notifyAddressInUse } from './address/change.ts';
import { endDueRestores } from './address/restore.ts';
import { mailReset } from './password/password.ts';
import { endDueRemovals } from './factors/removal.ts';
import { forgetMessages, unkeptEntries, writeEntry } from './retention/ledger.ts';
import { endLeaving, endUnverified, endWarned, warnUnused } from './retention/retention.ts';
import { confirmSessions } from './house/confirm.ts';
import { isOldAttempt } from './session/throttle.ts';
import { resendToAddress } from './join/mailed-codes.ts';
import { mailTakenAddress } from './join/taken-address.ts';

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
  forgetJob('auth.cleanUp', '17 3 * * *', forgetAnswers, ({ db, clock }) =>
    deleteOver(db, 'login_attempt', isOldAttempt(clock.now())),
  ),
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

/** Forgets answers that a repeated refresh can no longer get. */
async function forgetAnswers({ db, clock }: Deps): Promise<void> {
  const isSealed = sql`used_at < ${secondsAfter(clock.now(), -answerSeconds)} and sealed_answer is not null`;
  await updateWhere(db, 'refresh_token', sql`sealed_answer = null`, isSealed);
}
