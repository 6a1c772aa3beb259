import { resolveTxt } from 'node:dns/promises';
import { sql } from 'kysely';
import { apiBasePath } from '#contract/constants.ts';
import { uploadPicture } from '#contract/media.ts';
import { operationsLimits } from '#contract/operations.ts';
import { realtimePath } from '#contract/realtime.ts';
import { type Config, weaknessOfPictures } from '#platform/config/config.ts';
import { isPrivate } from '#platform/config/exposure.ts';
import type { Db } from '#platform/db/db.ts';
import { createMailTransport, problemOf, warningOf } from '#platform/notify/smtp.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { lookAtHouse } from '../auth/public.ts';
import { peersOf, readCertificate } from './certificates.ts';
import { dangersOf, measureMail, readBackups, readStorage } from './operations.ts';
import { readProcesses } from './status.ts';

/** The findings of one check of an installation: sentences that say what is missing; none if nothing is. */
export interface Finding {
  name: string;
  faults: string[];
  /** What the check could not know here. */
  limit?: string;
}

interface Subject {
  config: Config;
  db: Db;
  now: Date;
  /** Why the roles of the database protect less than they could, or null. */
  weakness: string | null;
}

const answersWithinMs = 10_000;
const clockDiffersSeconds = 5;
/** Larger than what proxies accept by default, smaller than a photo may be. */
const uploadBytes = 2_000_000;

/** Checks everything that a running installation needs. Never rejects: an item that can't be checked is a finding. */
export async function examine(subject: Subject): Promise<Finding[]> {
  const looks: Record<string, (subject: Subject) => Promise<string[] | Omit<Finding, 'name'>>> = {
    Service: lookAtService,
    'Live messages': lookAtSockets,
    Uploads: lookAtUploads,
    Jobs: lookAtJobs,
    Mail: lookAtMail,
    'Names of the sender': lookAtSenderNames,
    Certificates: lookAtCertificates,
    Backups: lookAtBackups,
    Disk: lookAtDisk,
    Time: lookAtTime,
    'Sign-in of staff': lookAtHouse,
    Settings: lookAtSettings,
  };
  return await Promise.all(
    Object.entries(looks).map(async ([name, look]) => {
      const found = await look(subject).catch((error: unknown) => [`This could not be looked at: ${reasonOf(error)}.`]);
      return Array.isArray(found) ? { name, faults: found } : { name, ...found };
    }),
  );
}

function reasonOf(error: unknown): string {
  const { cause, code, message } = error as Error & { cause?: { code?: string }; code?: string };
  return cause?.code ?? code ?? message;
}

const fetchFrom = ({ publicUrl }: Config, path: string, init: RequestInit = {}) =>
  fetch(new URL(path, publicUrl), { ...init, redirect: 'manual', signal: AbortSignal.timeout(answersWithinMs) });

async function lookAtService({ config }: Subject): Promise<string[]> {
  const { status } = await fetchFrom(config, '/readyz');
  return status === 200
    ? []
    : [`${config.publicUrl}/readyz answers ${status} instead of 200: see the log of the server and of the proxy.`];
}

/** Opens a socket as the app does; a proxy that doesn't forward the upgrade answers with a page. */
async function lookAtSockets({ config }: Subject): Promise<string[]> {
  const url = new URL(`${realtimePath}/?EIO=4&transport=websocket`, config.publicUrl);
  url.protocol = url.protocol.replace('http', 'ws');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = new WebSocket(url);
  socket.onmessage = () => resolve(true);
  socket.onerror = () => resolve(false);
  const timer = setTimeout(() => resolve(false), answersWithinMs);
  const isOpen = await promise;
  clearTimeout(timer);
  socket.close();
  return isOpen ? [] : ['No socket opens: the proxy must pass on the headers Upgrade and Connection (deploy/proxy).'];
}

async function lookAtUploads({ config }: Subject): Promise<string[]> {
  const { status } = await fetchFrom(config, `${apiBasePath}${uploadPicture.path}`, {
    method: 'POST',
    body: new Uint8Array(uploadBytes),
  });
  return status === 413 ? ['Photos over 1 MB are refused by the proxy: raise its limit (deploy/proxy).'] : [];
}

async function lookAtJobs({ db, now }: Subject): Promise<string[]> {
  const processes = await readProcesses(db, now);
  return processes.some((one) => one.runs_jobs)
    ? []
    : ['No process runs jobs: start one without WORKER=off, or no mail is sent and nothing is deleted.'];
}

async function lookAtMail({ config, db, now }: Subject): Promise<string[]> {
  const { oldestWaitingSeconds } = await measureMail(db, now);
  const minutes = Math.floor(oldestWaitingSeconds / 60);
  const late = minutes >= 15 ? [`The oldest mail has been waiting for ${minutes} minutes.`] : [];
  if (config.mail.smtpUrl === null)
    return [...late, 'This process has no SMTP_URL: look with the settings of the worker.'];
  const transport = createMailTransport(config.mail.smtpUrl, answersWithinMs);
  const refusal = await transport.signIn().then(
    () => [],
    (error: unknown) => [`${warningOf(problemOf(error))}.`],
  );
  transport.close();
  return [...late, ...refusal];
}

/**
 * Whether the sender's domain has the DNS records that say who may send for it (RFC 7208, 6376, 7489); without them, mail ends up as spam.
 */
async function lookAtSenderNames({ config }: Subject): Promise<string[]> {
  const domain = config.mail.from.address.split('@')[1] ?? '';
  const texts = async (name: string) =>
    await resolveTxt(name).then(
      (records) => records.map((parts) => parts.join('')),
      (error: unknown) => (reasonOf(error) === 'ENODATA' ? [''] : []),
    );
  const [spf, dmarc, keys] = await Promise.all([
    texts(domain),
    texts(`_dmarc.${domain}`),
    texts(`_domainkey.${domain}`),
  ]);
  return [
    ...(spf.some((text) => text.startsWith('v=spf1')) ? [] : [`${domain} has no SPF record.`]),
    ...(dmarc.some((text) => text.startsWith('v=DMARC1')) ? [] : [`_dmarc.${domain} has no DMARC record.`]),
    // The name of a DKIM key appears only in its mails, but a name above it exists, without a text, if there is any key.
    ...(keys.length > 0 ? [] : [`${domain} has no DKIM key below _domainkey.${domain}.`]),
  ];
}

async function lookAtCertificates({ config, now }: Subject): Promise<string[]> {
  const found = await Promise.all(peersOf(config).map((peer) => readCertificate(peer, now)));
  const soon = secondsAfter(now, operationsLimits.certificateEndsSeconds);
  return found.flatMap(({ name, host, validUntil, problem }) => {
    if (problem !== null) return [`${name} (${host}): the certificate is not trusted (${problem}).`];
    const ends = new Date(validUntil ?? 0);
    return ends > soon ? [] : [`${name} (${host}): the certificate ends on ${dayOf(ends)}.`];
  });
}

async function lookAtBackups({ db, now }: Subject): Promise<string[]> {
  const { lastBackup, lastDrill } = await readBackups(db);
  const isOld = (at: Date | null, seconds: number) => at === null || at < secondsAfter(now, -seconds);
  return [
    ...(isOld(lastBackup, operationsLimits.backupAgeSeconds)
      ? [`The last backup was ${onDay(lastBackup)}: run npm run backup daily.`]
      : []),
    ...(isOld(lastDrill, operationsLimits.drillAgeSeconds)
      ? [`The last restore drill was ${onDay(lastDrill)}: run one monthly.`]
      : []),
  ];
}

const onDay = (at: Date | null) => (at === null ? 'never' : `on ${dayOf(at)}`);

async function lookAtDisk({ config }: Subject): Promise<string[]> {
  const { freeBytes, totalBytes } = await readStorage(config);
  if (freeBytes === null || totalBytes === null || freeBytes >= operationsLimits.diskFreeRatio * totalBytes) return [];
  return [`The disk of the pictures has ${Math.floor(freeBytes / 1e9)} GB left of ${Math.floor(totalBytes / 1e9)} GB.`];
}

/**
 * Codes of second factors and expiring links depend on the clock. The service and its database may run on this machine and have the same
 * wrong clock, so services of others, which say the time in every answer, are asked as well.
 */
async function lookAtTime({ config, db }: Subject): Promise<Omit<Finding, 'name'>> {
  const strangers = peersOf(config).filter(
    ({ name, host, protocol }) => name !== 'This service' && protocol === 'https:' && !isPrivate(host),
  );
  const askStranger = async (address: string) =>
    // Whether it answers at all is seen with the certificates.
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(answersWithinMs) }).catch(() => null);
  const [ours, theirs] = await Promise.all([
    Promise.all([
      readClock('the service', async () => (await fetchFrom(config, '/healthz')).headers.get('date')),
      readClock('the database', async () => (await sql<{ now: Date }>`select now()`.execute(db)).rows[0]?.now),
    ]),
    Promise.all(
      strangers.map(({ host, port }) =>
        readClock(host, async () => (await askStranger(`https://${host}:${port}`))?.headers.get('date')),
      ),
    ),
  ]);
  const known = theirs.filter(({ secondsOff }) => !Number.isNaN(secondsOff));
  const wrong = [...ours, ...known].filter(({ secondsOff }) => !(secondsOff < clockDiffersSeconds));
  const limit = 'compared only with the service and the database, which may have the same clock';
  return {
    faults: wrong.map(
      ({ whose, secondsOff }) =>
        `The clock of ${whose} differs by ${Math.round(secondsOff)} s from this machine's: set the wrong one by NTP.`,
    ),
    ...(known.length === 0 && { limit }),
  };
}

/** By how many seconds the time of another clock lies outside the times here before and after it was read; NaN if it says none. */
async function readClock(whose: string, read: () => Promise<Date | string | null | undefined>) {
  const before = Date.now();
  const time = new Date((await read()) ?? NaN).getTime();
  return { whose, secondsOff: Math.max(before - time, time - Date.now(), 0) / 1000 };
}

async function lookAtSettings({ config, weakness }: Subject): Promise<string[]> {
  const dangers = dangersOf(config).map((name) => `${name} is set to what only a trial should have.`);
  const pictures = weaknessOfPictures(config);
  return await Promise.resolve([
    ...dangers,
    ...(weakness === null ? [] : [`The database: ${weakness}.`]),
    ...(pictures === null ? [] : [`The ${pictures}.`]),
  ]);
}
