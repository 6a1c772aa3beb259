import { sql } from 'kysely';
import { gapsInNotice, type GivenNotice } from '#contract/moderation/outsider-notices.ts';
import type { Deps } from '../../../deps.ts';
import { hashToken, keyedHash } from '../../../platform/config/secrets.ts';
import type { Db } from '../../../platform/db/db.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { contentOf, targetOf } from './policy.ts';
import { requireProof } from './proof.ts';

/**
 * Refuses what is incomplete (400), lacks a solved challenge (400), or is too much for one address (429). A challenge counts once.
 */
export async function checkNotice({ limits, appealKey }: Deps, given: GivenNotice, now: Date): Promise<void> {
  const errors = gapsInNotice(given);
  const [first] = errors;
  if (first !== undefined) throw new AppError('INVALID_INPUT', first.msg, { errors });
  requireProof(appealKey, given.proof, now);
  await limits.spend('noticeProof', hashToken(given.proof.challenge).toString('base64url'));
  if (given.email !== undefined)
    await limits.spend('noticeAddress', keyedHash(appealKey, given.email).toString('base64url'));
}

/**
 * Stores a notice. A job looks up whom it is about and mails the receipt, so that neither the answer nor its time depends on that. What the
 * same address sends again is only counted.
 */
export async function submitNotice(tx: Db, given: GivenNotice, now: Date): Promise<void> {
  const { type, address = null, person = null, where = null, text, name = null, email = null } = given;
  const notice = {
    type,
    address,
    names_address: targetOf(address) !== null,
    person,
    place: where,
    body: text,
    name,
    email,
    digest: hashToken(contentOf(given, now)),
    at: now,
  };
  const { id } = await tx
    .insertInto('outsider_notice')
    .values(notice)
    .onConflict((conflict) =>
      conflict.expression(sql`digest, coalesce(email, '')`).doUpdateSet({ times: sql`outsider_notice.times + 1` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'outsiders.file', { id }, { jobKey: `outsiders.file ${id}` });
}
