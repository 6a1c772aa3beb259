import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Selectable } from 'kysely';
import { proofSchema, type Proof } from '#contract/auth/factors.ts';
import { exportKeptDays, exportPauseMinutes, freshSignInMinutes } from '#contract/constants.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import * as calls from '#contract/takeout.ts';
import { newToken, seal, unsealBytes } from '#platform/config/secrets.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import type { Deps } from '../../deps.ts';
import { AppError, tooMany } from '#platform/http/app-error.ts';
import { type CallContext, type CommandContext, mount } from '#platform/http/mount.ts';
import { idPayload, job } from '#platform/jobs/job.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { checkStop } from '#platform/jobs/pieces.ts';
import { queueMail, type MailTemplates } from '#platform/notify/mail.ts';
import { settle } from '#platform/notify/notify.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { inLanguage } from '#platform/process/log.ts';
import { asFile } from '#platform/service/brand.ts';
import { loadAbsent, requireMember, type Caller } from '#platform/session/caller.ts';
import { judgeProof, requireProof, withProof } from '../auth/public.ts';
import { signedToken } from '../moderation/public.ts';
import { keepBytesFor, newHandle, noteBytes } from '../media/public.ts';
import { archiveOf } from './archive.ts';

export type ExportRow = Selectable<Database['data_export']>;
/** An archive that is ready. */
export type Archive = { [K in Exclude<keyof ExportRow, 'link_id'>]: NonNullable<ExportRow[K]> };

const keptSeconds = exportKeptDays * 86_400;
const pauseSeconds = exportPauseMinutes * 60;
const provenSeconds = freshSignInMinutes * 60;
/** A file is stored, and later read, in parts of about this size, each of which is in memory as a whole. */
const partBytes = 2_000_000;
/** The parts of a file that is never completed are deleted an hour after they were written. */
const preparedWithinMs = 45 * 60_000;
/** How long a download waits for an archive that still has to be prepared: less than clients wait. */
const downloadWaitsMs = 5000;
const lookAgainMs = 200;

export const takeoutMails = {
  /** For people who can't sign in. */
  archiveReady: ({ until = '', token = '' }, publicUrl) => ({
    subject: msg`Your account`,
    heading: msg`Your data is ready to download`,
    paragraphs: [msg`Download it with this link until ${{ until }}. It works once. We then delete the file.`],
    button: { text: msg`Download my data`, url: new URL(`/app/appeal#archive.${token}`, publicUrl).href },
    footnote: msg`Don't forward this email: the link opens everything we know about you.`,
  }),
  archiveDownloaded: () => ({
    subject: msg`Your account`,
    heading: msg`Your data was downloaded`,
    paragraphs: [
      msg`Someone has just downloaded your data with the link in our email. That link doesn't work any more.`,
      msg`If it wasn't you, someone else reads your email: choose a new password for it.`,
    ],
  }),
  exportReady: ({ until = '' }, publicUrl) => ({
    subject: msg`Your account`,
    heading: msg`Your data is ready to download`,
    paragraphs: [
      msg`Sign in to download it until ${{ until }}. We then delete the file.`,
      msg`If you didn't ask for it, choose a new password now. That signs out all other devices and deletes the file.`,
    ],
    button: { text: msg`Download my data`, url: new URL('/app/settings/data', publicUrl).href },
  }),
} satisfies MailTemplates;

const notForStaff = (caller: Caller) => requireMember(caller, msg`Staff accounts belong to the service`);

/** An account's export, unless its time to download is over. */
export async function exportOf(db: Db, accountId: string, now: Date): Promise<ExportRow | undefined> {
  return await db
    .selectFrom('data_export')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('ready_at', 'is', null), eb('ready_at', '>', secondsAfter(now, -keptSeconds))]))
    .executeTakeFirst();
}

/** Until when a session may download without another proof, or null. */
function provenUntil(row: ExportRow, { sessionId }: Caller, now: Date): Date | null {
  const until = secondsAfter(row.proven_at, provenSeconds);
  return row.session_id === sessionId && until > now ? until : null;
}

type DataExport = AnswerInput<typeof calls.getExport>['data']['export'];

function toView(row: ExportRow | undefined, caller: Caller, now: Date): DataExport {
  const isOver = row?.state === 'failed' && row.session_id === null;
  if (row === undefined || isOver)
    return { state: 'none', askedAt: null, sizeBytes: null, availableUntil: null, provenUntil: null };
  return {
    state: row.state,
    askedAt: row.asked_at,
    sizeBytes: row.size_bytes,
    availableUntil: row.ready_at === null ? null : secondsAfter(row.ready_at, keptSeconds),
    provenUntil: provenUntil(row, caller, now),
  };
}

/** The account of the archive, and the session that requests it. */
interface Asking {
  accountId: string;
  sessionId: string | null;
}

/**
 * Records that the caller has just confirmed who they are, and starts to prepare an archive unless one is being prepared. With `renews`, an
 * archive that is ready is replaced, but not within an hour (429). Without a session, no one has confirmed anything yet.
 */
export async function ask(
  { tx, deps, caller, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'> & { caller: Asking },
  { renews }: { renews: boolean },
): Promise<ExportRow> {
  const { accountId, sessionId } = caller;
  const proven = { session_id: sessionId, proven_at: now };
  const known = await exportOf(tx, accountId, now);
  if (known?.state === 'preparing' || (known?.state === 'ready' && !renews)) {
    if (sessionId === null) return known;
    const change = tx.updateTable('data_export').set(proven).where('account_id', '=', accountId);
    return await change.returningAll().executeTakeFirstOrThrow();
  }
  const waits = known === undefined ? 0 : (known.asked_at.getTime() - now.getTime()) / 1000 + pauseSeconds;
  if (waits > 0 && deps.config.rateLimits)
    throw tooMany(msg`You asked for an archive less than an hour ago. You can prepare a new one later.`, waits);
  await tx.deleteFrom('data_export').where('account_id', '=', accountId).execute();
  for (let part = 0; part < (known?.parts ?? 0); part += 1)
    await keepBytesFor(tx, partKey(known?.object_key ?? '', part), 0);
  const row = await tx
    .insertInto('data_export')
    .values({ account_id: accountId, asked_at: now, ...proven })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addJob(tx, 'takeout.prepare', { id: row.id });
  return row;
}

const partKey = (objectKey: string, part: number) => `${objectKey}.${part}`;
/** Each part has its own secret, so that no part can replace another. */
const partSecret = (secret: string, part: number) => `${secret} ${part}`;

/** Stores an archive encrypted, part by part, while it is produced. Each part is deleted in an hour unless it is kept. */
async function store({ db, storage }: Deps, archive: AsyncIterable<Uint8Array>) {
  const objectKey = `export-${newHandle()}`;
  const secret = newToken();
  const stored = { objectKey, secret, parts: 0, sizeBytes: 0 };
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const put = async () => {
    const key = partKey(objectKey, stored.parts);
    await noteBytes(db, key);
    await storage.put(key, seal(partSecret(secret, stored.parts), Buffer.concat(waiting)));
    stored.parts += 1;
    stored.sizeBytes += waitingBytes;
    waiting = [];
    waitingBytes = 0;
  };
  for await (const bytes of archive) {
    checkStop();
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes >= partBytes) await put();
  }
  await put();
  return stored;
}

/**
 * The job that prepares an archive. Nothing can be downloaded until all of it is stored. Attempts that failed or were killed leave parts
 * behind, which the sweep of discarded files deletes.
 */
async function prepare(deps: Deps, id: string): Promise<void> {
  const { db, clock } = deps;
  const isOurs = db.selectFrom('data_export').select('account_id').where('id', '=', id);
  const asked = await isOurs.where('state', '=', 'preparing').executeTakeFirst();
  const caller = asked === undefined ? null : await loadAbsent(db, asked.account_id, true);
  if (caller === null) return;
  const startedAt = performance.now();
  const source = await deps.reads.upToDate();
  const { objectKey, secret, parts, sizeBytes } = await inLanguage(caller.language, () =>
    store(deps, archiveOf({ ...deps, db: source.db }, caller, clock.now())),
  );
  if (performance.now() - startedAt > preparedWithinMs) throw new Error('preparing a data export took too long');
  const { accountId, email } = caller;
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('data_export')
      .set({ state: 'ready', ready_at: now, object_key: objectKey, secret, parts, size_bytes: sizeBytes })
      .where('id', '=', id)
      .where('state', '=', 'preparing')
      .executeTakeFirst();
    // The attempt was overtaken by a later request, a new password, or another attempt.
    if (numUpdatedRows === 0n) return;
    // If the row is deleted earlier, the key to its file is deleted with it.
    for (let part = 0; part < parts; part += 1) await keepBytesFor(tx, partKey(objectKey, part), exportKeptDays);
    await tx
      .insertInto('notification')
      .values({ account_id: accountId, kind: 'export', subject_id: id, at: now })
      .execute();
    await mailReady({ ...deps, tx }, { id, accountId, email, readyAt: now }, now);
  });
}

/** The mail about a finished archive; people who can't sign in get a different one. */
export const readyMail = (isActive: boolean) => (isActive ? 'exportReady' : 'archiveReady');

/** Replaces the id in an archive's link, which invalidates links mailed before. */
async function renewLink(tx: Db, archiveId: string): Promise<string> {
  const linkId = randomUUID();
  await tx.updateTable('data_export').set({ link_id: linkId }).where('id', '=', archiveId).execute();
  return linkId;
}

/** Mails how to download a finished archive: after signing in or, for people who can't, with a signed link, the only one that works. */
export async function mailReady(
  { tx, appealKey }: Pick<Deps, 'appealKey'> & { tx: Db },
  { id, accountId, email, readyAt }: { id: string; accountId: string; email: string; readyAt: Date },
  now: Date,
): Promise<void> {
  const { is_active } = await tx
    .selectFrom('account')
    .select('is_active')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const until = secondsAfter(readyAt, keptSeconds);
  const data: Record<string, string> = { until: dayOf(until) };
  if (!is_active)
    data['token'] = signedToken(appealKey, 'archive', { id: await renewLink(tx, id), accountId, email }, until);
  await queueMail(tx, { to: email, accountId, template: readyMail(is_active), data, expiresAt: until }, now);
}

/** The jobs of data exports: preparing one, and deleting expired ones. */
export const takeoutJobs = [
  job({
    name: 'takeout.prepare',
    payload: idPayload,
    sweep: { harmless: 'The page says that it failed, and its owner asks again.' },
    slots: 'long',
    async run(deps, { id }, { job: { attempts, max_attempts } }) {
      try {
        await prepare(deps, id);
      } catch (error) {
        if (attempts >= max_attempts)
          await deps.db
            .updateTable('data_export')
            .set({ state: 'failed' })
            .where('id', '=', id)
            .where('state', '=', 'preparing')
            .execute();
        throw error;
      }
    },
  }),
  forgetJob('takeout.cleanUp', '7 * * * *'),
];

/** Reads the proof from the request's headers, each of which is optional. Throws 403 for one that can't be read. */
function givenProof(headers: IncomingHttpHeaders): Proof {
  const password = decoded(headers[calls.currentPasswordHeader]);
  const code = decoded(headers[calls.currentCodeHeader]);
  const passkey = decoded(headers[calls.currentPasskeyHeader]);
  try {
    const proof = { password, code, passkey: passkey === undefined ? undefined : (JSON.parse(passkey) as unknown) };
    return proofSchema.parse(proof);
  } catch {
    throw new AppError('PROOF_REQUIRED', msg`The confirmation in the request headers cannot be read.`);
  }
}

function decoded(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    if (typeof header === 'string' && header.length <= 8192) return decodeURIComponent(header);
  } catch {
    // Input that can't be decoded isn't a password.
  }
  throw new AppError(
    'WRONG_PASSWORD',
    msg`Send your current password in the header ${{ currentPasswordHeader: calls.currentPasswordHeader }}`,
  );
}

/**
 * The caller's archive, prepared first if there is none. A proof that the same session gave within ten minutes is enough, because an app
 * code works only once and the archive was just requested. Throws 409 if preparing takes longer than this waits.
 */
async function readyArchive(context: CallContext, proof: Proof): Promise<Archive> {
  const { deps, caller, now } = context;
  let row = await exportOf(deps.db, caller.accountId, now);
  const isGiven = Object.values(proof).some((part) => part !== undefined);
  if (isGiven || row === undefined || row.state === 'failed' || provenUntil(row, caller, now) === null)
    row = await withProof(context, proof, (tx) => ask({ ...context, tx }, { renews: false }));
  const until = performance.now() + downloadWaitsMs;
  while (row?.state === 'preparing' && performance.now() < until) {
    await pause(lookAgainMs);
    row = await exportOf(deps.db, caller.accountId, now);
  }
  if (row?.state === 'ready') return row as Archive;
  throw new AppError('CONFLICT', msg`We're preparing your data. Please try again in a minute.`);
}

/** The bytes of a part, or null if the store doesn't have it. */
async function readPart({ storage }: Deps, { object_key, secret }: Archive, part: number): Promise<Buffer | null> {
  const sealed = await storage.get(partKey(object_key, part));
  return sealed && unsealBytes(partSecret(secret, part), sealed);
}

/** The archive's bytes, one part in memory at a time, however slowly they are downloaded. */
async function* bytesOf(deps: Deps, archive: Archive, first: Buffer): AsyncGenerator<Buffer> {
  yield first;
  for (let part = 1; part < archive.parts; part += 1) {
    const isKept = deps.db.selectFrom('data_export').select('id').where('id', '=', archive.id);
    // A new password or address ends downloads too.
    if ((await isKept.executeTakeFirst()) === undefined) throw new Error('a data export ended while it was downloaded');
    const bytes = await readPart(deps, archive, part);
    if (bytes === null) throw new Error('a part of a data export is missing');
    yield bytes;
  }
}

/**
 * Streams an archive as a file, and settles the notification about it. `onStart` runs once its bytes are available, and may still refuse.
 * 503 if the store no longer has it.
 */
export async function sendArchive(
  deps: Deps,
  archive: Archive,
  { reply, now, onStart }: { reply: FastifyReply; now: Date; onStart?: () => Promise<void> },
): Promise<FastifyReply> {
  const { db } = deps;
  const first = await readPart(deps, archive, 0);
  if (first === null) {
    // The store lost it, or the database is a restored one.
    await db.deleteFrom('data_export').where('id', '=', archive.id).execute();
    throw new AppError(
      'UNAVAILABLE',
      msg`This archive is no longer available. Please try again, and we'll prepare one.`,
    );
  }
  await onStart?.();
  await settle(db, { accountId: archive.account_id, kind: 'export', subjectId: null }, now);
  return reply
    .type(calls.exportOwnData.streams)
    .header('content-length', archive.size_bytes)
    .header('content-disposition', asFile(`${dayOf(archive.ready_at)}.zip`))
    .send(Readable.from(bytesOf(deps, archive, first), { objectMode: false, highWaterMark: 65_536 }));
}

/** Mounts data exports. Staff get 403, because their accounts belong to the service. */
export function mountTakeout(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  mount(app, deps, calls.askForExport, { logsAccount: true })
    .before((context) => {
      notForStaff(context.caller);
      return judgeProof(context, context.body);
    })
    .to(async (context, proof) => {
      await requireProof(context, proof);
      return { data: { export: toView(await ask(context, { renews: true }), context.caller, context.now) } };
    });
  mount(app, deps, calls.getExport).to(async ({ caller, now }) => {
    notForStaff(caller);
    return { data: { export: toView(await exportOf(db, caller.accountId, now), caller, now) } };
  });
  mount(app, deps, calls.exportOwnData, { logsAccount: true }).to(async (context) => {
    const { caller, now, request, reply } = context;
    const proof = givenProof(request.headers);
    notForStaff(caller);
    return await sendArchive(deps, await readyArchive(context, proof), { reply, now });
  });
}
