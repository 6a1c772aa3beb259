import { msg } from '@lingui/core/runtime-macro';
import { trimmedText } from '#contract/text.ts';
import type { SignedHook } from '#platform/config/config.ts';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { job } from '#platform/jobs/job.ts';
import { postSigned } from '#platform/http/limited-fetch.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { forgetJob, isFree } from '#platform/people/forget.ts';
import { textOf } from '#platform/texts.ts';
import { languageOf } from '../auth/public.ts';
import { comparePicture } from './compare.ts';
import { decide } from './decide.ts';
import { changePicture } from './pictures.ts';
import { selfiePrefix } from './storage/storage.ts';

interface Verdict {
  verdict: 'allow' | 'review' | 'block';
  /** The labels that the check returned. */
  labels: string[];
}

/** An automatic check before the human review. */
interface PhotoModerator {
  check(picture: Buffer): Promise<Verdict>;
}

const longestLabel = 60;
const mostLabels = 10;
const labelSchema = trimmedText(1, longestLabel);

/** Calls a service with the signed bytes of a picture. It answers `{verdict, labels}`. Throws if that is missing, late, too long or invalid. */
function remote(hook: SignedHook, { log, metrics }: Pick<Deps, 'log' | 'metrics'>): PhotoModerator {
  return {
    async check(picture) {
      try {
        const answer = await postSigned(hook, 'image/webp', picture);
        if (!answer.ok) throw new Error(`The picture check answered ${answer.status}`);
        return verdictOf(await answer.json());
      } catch (error) {
        metrics.providerErrors.inc({ provider: 'picture check' });
        log.warn({ err: error }, 'the picture check did not answer');
        throw error;
      }
    },
  };
}

/** The automatic check that the operator configured; null if there is none. */
export function pictureModerator(deps: Pick<Deps, 'config' | 'log' | 'metrics'>): PhotoModerator | null {
  const { check } = deps.config.media;
  return check === null ? null : remote(check, deps);
}

function verdictOf(answer: unknown): Verdict {
  const { verdict, labels } = (answer ?? {}) as { verdict?: unknown; labels?: unknown };
  const words = Array.isArray(labels) ? labels.slice(0, mostLabels).filter((label) => typeof label === 'string') : [];
  const shown = words.flatMap((word: string) => labelSchema.safeParse(word.slice(0, longestLabel)).data ?? []);
  if (verdict !== 'allow' && verdict !== 'block' && verdict !== 'review')
    throw new Error('The picture check answered with an unknown verdict');
  return { verdict, labels: [...new Set(shown)] };
}

const blockedReason = msg`Our automatic check found something in this picture that isn't allowed here.`;
const readAtOnce = 200;

/** The files to delete: both sizes of a picture. Other features name single files in full. */
const filesOf = (key: string) => (key.includes('.') ? [key] : [`${key}.large`, `${key}.thumbnail`]);

async function check(deps: Deps, pictureId: string): Promise<void> {
  const { db, clock, storage } = deps;
  const picture = await db.selectFrom('picture').selectAll().where('id', '=', pictureId).executeTakeFirst();
  if (picture?.state !== 'pending') return;
  const hasReason = await comparePicture(db, picture);
  const moderator = pictureModerator(deps);
  if (moderator === null) return;
  const bytes = await storage.get(`${picture.object_key}.large`);
  if (bytes === null) return;
  // Until it answers, the picture is in the queue that staff review.
  const { verdict, labels } = await moderator.check(bytes);
  if (labels.length > 0) await changePicture(db, pictureId, { external_labels: labels });
  // A picture that the external check allows without knowing our reasons is reviewed by a person.
  if (verdict === 'review' || (verdict === 'allow' && hasReason)) return;
  const decision =
    verdict === 'allow'
      ? ({ verdict: 'approved', reason: labels.join(', ') } as const)
      : ({
          verdict: 'rejected',
          reason: textOf(blockedReason, {}, await languageOf(db, picture.account_id)),
        } as const);
  const given = { publicId: picture.public_id, ...decision };
  await inTransaction(db, (tx) => decide({ tx, caller: null, now: clock.now() }, given));
}

async function sweepWhere({ db, storage }: Deps, isMeant: RawBuilder<unknown>): Promise<void> {
  // The time as text, exact to the microsecond.
  const due = pagesOf<{ object_key: string; due_at: string }>(async (after) => {
    const { rows } = await sql<{ object_key: string; due_at: string }>`
      select object_key, due_at::text from media_discard where due_at <= now() and ${isMeant} and ${isFree('media_discard')}
        and (due_at, object_key) > (${after?.due_at ?? '-infinity'}::timestamptz, ${after?.object_key ?? ''})
      order by due_at, object_key limit ${readAtOnce}`.execute(db);
    return rows;
  });
  const discard = async ({ object_key: key }: { object_key: string }) => {
    if (!(await isPointedAt(db, key))) await Promise.all(filesOf(key).map((file) => storage.remove(file)));
    await db.deleteFrom('media_discard').where('object_key', '=', key).execute();
  };
  await eachInTurn(due, discard, { round: 'media.sweep', keyOf: (row) => row.object_key });
}

async function isPointedAt(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from picture where object_key = ${key} and state <> 'rejected')
      or exists (select from message_media where object_key = ${key})
      or exists (select from evidence_picture where object_key = ${key}) as found`.execute(db);
  return rows[0]?.found === true;
}

/** The background work of pictures: checking new ones and deleting unreferenced bytes. The first two call the picture storage or the automatic check. */
export const mediaJobs = [
  job({
    name: 'media.check',
    payload: z.object({ pictureId: z.string() }),
    sweep: { harmless: 'A person reviews every picture that the check did not decide.' },
    slots: 'outside',
    run: (deps, { pictureId }) => check(deps, pictureId),
  }),
  job({
    name: 'media.sweep',
    cron: '* * * * *',
    sweep: { sweptBy: 'media.sweep' },
    slots: 'outside',
    // Selfies must be deleted within a minute of the decision, however much else is waiting.
    run: (deps) =>
      eachInTurn([sql`object_key like ${`${selfiePrefix}%`}`, sql`true`], (isMeant) => sweepWhere(deps, isMeant)),
  }),
  forgetJob('media.forgetUnclaimed', '37 * * * *', ({ storage }) => storage.tidy()),
];
