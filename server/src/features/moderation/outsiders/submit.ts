import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { type GivenOutsiderReport, proofBits, proofMinutes } from '#contract/moderation/outsider-reports.ts';
import type { Deps } from '../../../deps.ts';
import { hashToken, keyedHash } from '#platform/config/secrets.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { presentLanguage } from '#platform/process/log.ts';
import { contentOf, queueAt, targetOf } from './policy.ts';

const sign = (key: string, content: string) => keyedHash(key, `notice challenge ${content}`).toString('base64url');

/** A challenge that costs its solver some time. Nothing is stored: its signature and time prove that it is ours. */
export function newChallenge(key: string, now: Date): string {
  const until = Math.floor(secondsAfter(now, proofMinutes * 60).getTime() / 1000);
  const content = `${until}.${randomBytes(12).toString('base64url')}`;
  return `${content}.${sign(key, content)}`;
}

/** Whether a number solves a challenge. */
export function solves(challenge: string, counter: number): boolean {
  const digest = createHash('sha256').update(`${challenge}.${counter}`).digest();
  return digest.readUInt32BE(0) >>> (32 - proofBits) === 0;
}

/** Throws 400 unless the challenge is ours, still valid and solved. */
function requireProof(key: string, { challenge, counter }: GivenOutsiderReport['proof'], now: Date): void {
  const [until = '', nonce = '', signature = '', ...more] = challenge.split('.');
  const expected = Buffer.from(sign(key, `${until}.${nonce}`));
  const given = Buffer.from(signature);
  const isOurs = more.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isOurs || now.getTime() > Number(until) * 1000 || !solves(challenge, counter))
    throw new AppError('CHALLENGE_EXPIRED', msg`That took too long. Send it again.`);
}

/** Rejects a request without a solved challenge (400). A challenge counts once (429). */
export async function checkOutsiderReport(
  { limits, appealKey }: Deps,
  { proof }: GivenOutsiderReport,
  now: Date,
): Promise<void> {
  requireProof(appealKey, proof, now);
  await limits.spend('noticeProof', hashToken(proof.challenge).toString('base64url'));
}

/**
 * Stores an outsider report. A job finds the person and mails the receipt, so that neither the answer nor its time depends on that.
 * Repetitions from the same address are only counted.
 */
export async function submitOutsiderReport(tx: Db, given: GivenOutsiderReport, now: Date): Promise<void> {
  const { type, address = null, person = null, where = null, text, name = null, email = null } = given;
  const outsiderReport = {
    type,
    address,
    names_address: targetOf(address) !== null,
    person,
    place: where,
    body: text,
    name,
    email,
    language: presentLanguage(),
    digest: hashToken(contentOf(given, now)),
    at: now,
    filing_due_since: now,
    queue_at: queueAt(type, now),
  };
  const { id } = await tx
    .insertInto('outsider_notice')
    .values(outsiderReport)
    .onConflict((conflict) =>
      conflict
        .expression(sql`digest, coalesce(email, '')`)
        .where('forgotten_at', 'is', null)
        .doUpdateSet({ times: sql`outsider_notice.times + 1` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'outsiders.file', { id }, { jobKey: `outsiders.file ${id}` });
}
