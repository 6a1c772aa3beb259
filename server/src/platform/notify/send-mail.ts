import { sql } from 'kysely';
import { type MailProblem, mailProblems } from '#contract/operations.ts';
import type { Language } from '#contract/languages.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '../db/db.ts';
import { updateWhere } from '../jobs/due-rows.ts';
import { idPayload, job, type Job } from '../jobs/job.ts';
import { eachInTurn } from '../jobs/turns.ts';
import { secondsAfter } from '../process/clock.ts';
import { inLanguage } from '../process/log.ts';
import { contentOf, type MailTemplates, messageOf } from './mail.ts';
import { isFinal, type MailTransport, problemOf, warningOf } from './smtp.ts';

const daySeconds = 86_400;
/** How long an email waits for a mail server that doesn't accept it. */
export const waitsDays = 5;
/** How long an abandoned email keeps its content, so that it can be sent again. */
const keptDays = 14;
/** The pause after the first try, which is longer than a try can take; it doubles with each further try, up to an hour. */
const pauseSeconds = { first: 60, longest: 3600 };
/** How many emails are queued again a minute, those due longest first. */
const queuedAtOnce = 500;

interface ClaimedMail {
  id: string;
  recipient: string;
  template: string;
  data: unknown;
  waiting_since: Date;
  language: Language;
}

/**
 * Takes a due email and sets the time of its next try, so that it is tried again if this process ends now, and no other
 * process tries it meanwhile. Undefined for one that is not due or no longer valid.
 */
async function claim(db: Db, id: string, now: Date): Promise<ClaimedMail | undefined> {
  const pause = sql`least(${pauseSeconds.longest}, ${pauseSeconds.first} * 2 ^ least(attempts, 10))`;
  const { rows } = await sql<ClaimedMail>`
    update mail m set attempts = attempts + 1, try_at = ${now}::timestamptz + make_interval(secs => ${pause})
    where id = ${id}::uuid and status = 'waiting' and try_at <= ${now} and (expires_at is null or expires_at > ${now})
    returning id, recipient, template, data, waiting_since,
      coalesce((select a.language from account a where a.id = m.account_id), m.language) as language`.execute(db);
  return rows[0];
}

/**
 * The jobs that send emails. The row alone decides whether and when an email is tried again, so no job has to be kept:
 * it waits for five days unless its mailbox doesn't exist, or until its code or link is no longer valid. Without a
 * transport, emails are only marked as sent.
 */
export const mailJobs = (templates: MailTemplates, transport: MailTransport | null): Job[] => [
  job({
    name: 'mail.send',
    payload: idPayload,
    sweep: { sweptBy: 'mail.sweep' },
    slots: 'mail',
    async run(deps, { id }) {
      const { config, db, clock } = deps;
      const mail = await claim(db, id, clock.now());
      if (mail === undefined) return;
      try {
        const message = () => messageOf(config.mail, mail, contentOf(templates, mail, config.publicUrl), clock.now());
        await transport?.send(await inLanguage(mail.language, message));
      } catch (error) {
        await noteFailure(deps, mail, error);
        return;
      }
      // The data is deleted once the email is sent, above all codes and links.
      const kept = config.mail.outboxShown ? mail.data : {};
      const sent = { status: 'sent' as const, last_error: null, sent_at: clock.now(), data: JSON.stringify(kept) };
      await db.updateTable('mail').set(sent).where('id', '=', mail.id).execute();
    },
  }),
  job({
    name: 'mail.sweep',
    cron: '* * * * *',
    run({ db, clock }) {
      const now = clock.now();
      // A row that can't be dropped doesn't delay the others.
      return eachInTurn([dropOver, queueDue], (step) => step(db, now));
    },
  }),
];

/** Records why an email was not accepted, and gives it up if nothing can change that or it has waited for too long. */
async function noteFailure({ db, clock, log, metrics }: Deps, mail: ClaimedMail, error: unknown): Promise<void> {
  const problem = problemOf(error);
  if (!isFinal(problem)) {
    if (problem !== 'mailbox') metrics.providerErrors.inc({ provider: 'mail' });
    log.warn({ err: error, problem }, warningOf(problem));
  }
  const isOver = isFinal(problem) || mail.waiting_since <= secondsAfter(clock.now(), -waitsDays * daySeconds);
  await db
    .updateTable('mail')
    .set({ last_error: problem, ...(isOver ? { status: 'dead' as const } : {}) })
    .where('id', '=', mail.id)
    .execute();
}

/** Drops emails whose code or link is no longer valid, and the content of those that were given up long ago. */
async function dropOver(db: Db, now: Date): Promise<void> {
  const dropped = sql`status = 'dead', last_error = 'expired', data = '{}'`;
  await updateWhere(db, 'mail', dropped, sql`status = 'waiting' and expires_at <= ${now}`);
  const isForgotten = sql`status = 'dead' and data <> '{}'
    and (expires_at <= ${now} or waiting_since <= ${secondsAfter(now, -(waitsDays + keptDays) * daySeconds)})`;
  await updateWhere(db, 'mail', sql`data = '{}'`, isForgotten);
}

/**
 * Queues due emails that may have no job, those due longest first. Repeated tries come after first ones, so that a backlog doesn't delay a
 * code that someone waits for.
 */
async function queueDue(db: Db, now: Date): Promise<void> {
  await sql`select (graphile_worker.add_job('mail.send', json_build_object('id', due.id),
      job_key => 'mail.send ' || due.id, job_key_mode => 'preserve_run_at', max_attempts => 12,
      priority => case when due.attempts = 0 then 0 else 10 end)).id
    from (select id, attempts from mail where status = 'waiting' and try_at <= ${now} order by try_at, id limit ${queuedAtOnce}) due`.execute(
    db,
  );
}

/** Emails of one kind that were given up for one reason. */
interface Unsent {
  template: string;
  problem: MailProblem;
}

/** Emails that were given up, while they have their content and it is valid. */
const isUnsent = (now: Date) => sql`status = 'dead' and data <> '{}' and (expires_at is null or expires_at > ${now})`;
const problemName = sql`case when last_error = any (${[...mailProblems]}::text[]) then last_error else 'other' end`;

/** The number of emails that can be sent again, starting with the newest. */
export async function unsentMail(db: Db, now: Date): Promise<(Unsent & { count: number; newestAt: Date })[]> {
  const { rows } = await sql<Unsent & { count: number; newestAt: Date }>`
    select template, ${problemName} as problem, count(*)::int as count, max(created_at) as "newestAt"
    from mail where ${isUnsent(now)} group by 1, 2 order by 4 desc, 1, 2`.execute(db);
  return rows;
}

/** Queues emails again that were given up, all or some; returns how many. The next sweep adds their jobs. */
export async function sendAgain(tx: Db, which: Unsent | undefined, now: Date): Promise<number> {
  const isChosen =
    which === undefined ? sql`true` : sql`template = ${which.template} and ${problemName} = ${which.problem}`;
  const { numAffectedRows } = await sql`
    update mail set status = 'waiting', attempts = 0, last_error = null, try_at = '-infinity', waiting_since = ${now}
    where ${isUnsent(now)} and ${isChosen}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
