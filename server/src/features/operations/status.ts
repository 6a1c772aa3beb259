import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { apiBasePath } from '#contract/constants.ts';
import { directionOf } from '#contract/languages.ts';
import { type PartState, type ServicePart, serviceParts } from '#contract/operations.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { presentBrand } from '#platform/service/brand.ts';
import { brandPicturePath } from '#contract/service/service.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { withDeadline } from '#platform/http/mount.ts';
import { escapeHtml, languageLinks, languageOf } from '#platform/http/pages.ts';
import type { Ticker } from '#platform/jobs/jobs.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { inLanguage, presentLanguage, version } from '#platform/process/log.ts';
import { textOf } from '#platform/texts.ts';
import { type AnsweredParts, byPart, judge, type MailQueue, since, together } from './policy.ts';

const beatSeconds = 15;
/** How many heartbeats back requests are counted: five minutes. */
const beatsCounted = 20;
/** A process that was not seen for this long has ended. */
const goneAfterSeconds = 60;
/** What the app asks for first for someone who is signed in, just before it opens a socket. */
const openingRoute = `${apiBasePath}${getProfile.path}`;

/**
 * Records every few seconds that this process runs, its version, how many of its recent requests failed, and what shows
 * whether live messages get through.
 */
export function operationsTickers({ db, clock, config, metrics, realtime }: Deps): Ticker[] {
  const id = randomUUID();
  const startedAt = clock.now();
  const counted: AnsweredParts[] = [];
  async function beat(): Promise<void> {
    const now = clock.now();
    const parts = byPart(metrics.answered);
    counted.push(parts);
    if (counted.length > beatsCounted + 1) counted.shift();
    const answered = JSON.stringify(since(counted.length > 1 ? (counted[0] ?? {}) : {}, parts));
    // Those who are refused, such as scripts or people whose sign-in has expired, open no socket.
    const opened = metrics.answered.get(openingRoute)?.accepted ?? 0;
    await sql`insert into server_process (id, host, version, node, runs_jobs, started_at, seen_at, answered, redis_down, app_opened, sockets_opened)
      values (${id}, ${hostname()}, ${version}, ${process.versions.node}, ${config.worker === 'inline'}, ${startedAt}, ${now}, ${answered},
        ${realtime.isRedisDown()}, ${opened}, ${realtime.opened()})
      on conflict (id) do update set seen_at = excluded.seen_at, answered = excluded.answered, redis_down = excluded.redis_down,
        app_opened = excluded.app_opened, sockets_opened = excluded.sockets_opened`.execute(db);
    // A time in the future was written while a clock was ahead, possibly by a process that has ended.
    await sql`delete from server_process
      where seen_at not between ${secondsAfter(now, -goneAfterSeconds)} and ${secondsAfter(now, goneAfterSeconds)}`.execute(
      db,
    );
  }
  return [{ name: 'operations', everyMs: beatSeconds * 1000, run: beat }];
}

export interface ProcessRow {
  id: string;
  host: string;
  version: string;
  node: string;
  runs_jobs: boolean;
  started_at: Date;
  seen_at: Date;
  answered: AnsweredParts;
  redis_down: boolean;
  app_opened: number;
  sockets_opened: number;
}

/** The processes that are running, the oldest first. */
export async function readProcesses(db: Db, now: Date): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select * from server_process where seen_at >= ${secondsAfter(now, -goneAfterSeconds)} order by started_at, id`.execute(
    db,
  );
  return rows;
}

/** The state of outgoing mail. The counts read only mails that are waiting and those written within an hour. */
async function readMailQueue(db: Db, now: Date): Promise<MailQueue> {
  const { rows } = await sql<MailQueue>`
    select
      (select count(*)::int from mail where status = 'waiting' and last_error is null and waiting_since < ${secondsAfter(now, -300)}) as late,
      (select count(*)::int from mail where status = 'waiting' and last_error <> 'mailbox') as retrying,
      (select count(*)::int from mail where status = 'waiting' and last_error in ('signIn', 'sender')) as refused,
      (select count(*)::int from mail where created_at > ${secondsAfter(now, -3600)} and sent_at > ${secondsAfter(now, -900)})
        as "sentLately"`.execute(db);
  return rows[0] ?? { late: 0, retrying: 0, refused: 0, sentLately: 0 };
}

export type Status = { part: ServicePart; state: PartState }[];

/** The state of each part of the service, from all its processes. */
export async function readStatus({ db, config }: Deps, now: Date): Promise<Status> {
  const [processes, mail] = await Promise.all([readProcesses(db, now), readMailQueue(db, now)]);
  return judge(together(processes.map(({ answered }) => answered)), mail, {
    sells: config.payments.provider !== 'off',
  });
}

const readsWithinMs = 2000;
const cachedSeconds = 15;

/** Serves `/app/status`, which needs no account and no script, and works even while the database is down. */
export function mountStatus(app: FastifyInstance, deps: Deps): void {
  let cached: { status: Promise<Status>; at: number } | null = null;
  const allDown: Status = serviceParts.map((part) => ({ part, state: 'down' }));
  app.get('/app/status', async (request, reply) => {
    const now = deps.clock.now();
    // All readers share one result, because many people look at this page when something fails.
    if (cached === null || now.getTime() - cached.at >= cachedSeconds * 1000)
      cached = { at: now.getTime(), status: withDeadline(readsWithinMs, readStatus(deps, now)).catch(() => allDown) };
    const { at } = cached;
    const status = await cached.status;
    return reply
      .headers({ 'cache-control': `public, max-age=${cachedSeconds}`, vary: 'accept-language, cookie' })
      .type('text/html; charset=utf-8')
      .send(inLanguage(languageOf(request), () => statusPage(status, new Date(at))));
  });
}

const partNames: Record<ServicePart, MessageDescriptor> = {
  signIn: msg`Signing in`,
  discovery: msg`Discovery and likes`,
  messages: msg`Messages`,
  pictures: msg`Pictures`,
  payments: msg`Payments`,
  mail: msg`Email from us`,
};
const stateWords: Record<PartState, MessageDescriptor> = {
  works: msg`Works`,
  degraded: msg`Partly works`,
  down: msg`Down`,
};
const headlines: Record<PartState, [MessageDescriptor, MessageDescriptor]> = {
  works: [msg`Everything works`, msg`If something doesn’t work for you, reload the page or check your connection.`],
  degraded: [
    msg`Some things don’t work as they should`,
    msg`We know about it and are working on it. Nothing you sent is lost.`,
  ],
  down: [
    msg`{brand} is having problems`,
    msg`We know about it and are working on it. Please try again in a few minutes.`,
  ],
};

/** Renders the status as a page in the reader's language. */
export function statusPage(status: Status, at: Date): string {
  const worst = (['down', 'degraded', 'works'] as const).find((state) => status.some((one) => one.state === state));
  const [headline, advice] = headlines[worst ?? 'works'];
  const rows = status.map(
    ({ part, state }) =>
      `<li><span>${textOf(partNames[part])}</span><strong class="${state}">${marks[state]}${textOf(stateWords[state])}</strong></li>`,
  );
  const language = presentLanguage();
  const { name, icon } = presentBrand();
  const brand = escapeHtml(name);
  const time = `<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 16)} UTC</time>`;
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><meta name="color-scheme" content="light dark">
<title>${textOf(msg`Status`)} · ${brand}</title><link rel="icon" href="${icon === null ? '/favicon.svg' : brandPicturePath(icon)}"><style>${style}${statusColours()}</style></head>
<body><header><a href="/app">${brandMark()}<span>${brand}</span></a></header>
<main><p class="over">${textOf(msg`Service status`)}</p><h1>${textOf(headline)}</h1><p class="advice">${textOf(advice)}</p>
<ul>${rows.join('')}</ul>
<p class="at">${textOf(msg`Checked at ${{ time }}.`)} <a href="/app/status">${textOf(msg`Check again`)}</a></p>
<nav aria-label="${textOf(msg`Language`)}">${languageLinks('/app/status', language)}</nav></main>
</body></html>`;
}

const mark = (path: string) =>
  `<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;
/** The state is also given in words, and the shapes differ for people who can't distinguish the colours. */
const marks: Record<PartState, string> = {
  works: mark('M3 8.5l3.3 3.3L13 4.8'),
  degraded: mark('M8 3v6M8 12.6v.1'),
  down: mark('M4 4l8 8M12 4l-8 8'),
};

const logo = `<svg width="30" height="30" viewBox="0 0 48 48" fill="none" aria-hidden="true"><path class="bark" d="M24 42.5C13.2 35.6 4.5 28 4.5 18.2 4.5 11.6 9.4 6.5 15.6 6.5c3.5 0 6.5 1.7 8.4 4.5 1.9-2.8 4.9-4.5 8.4-4.5 6.2 0 11.1 5.1 11.1 11.7 0 9.8-8.7 17.4-19.5 24.3Z"/><path class="ring" d="M24 35.4C16.6 30.5 10.5 25.2 10.5 18.5 10.5 14.9 13.1 12.3 16.3 12.3c3.3 0 5.6 2.2 7.7 5.5 2.1-3.3 4.4-5.5 7.7-5.5 3.2 0 5.8 2.6 5.8 6.2 0 6.7-6.1 12-13.5 16.9Z"/></svg>`;

/** The colours of the brand; the system's scheme decides between them, because this page has no script. */
function statusColours(): string {
  const { colours } = presentBrand();
  if (colours === null) return '';
  const { light, dark } = colours;
  return `:root { --accent: ${light}; --mark: ${light}; } @media (prefers-color-scheme: dark) { :root { --accent: ${dark}; --mark: ${dark}; } }`;
}

/** The picture of the brand, or the product's heart. */
function brandMark(): string {
  const { icon } = presentBrand();
  return icon === null ? logo : `<img src="${brandPicturePath(icon)}" width="30" height="30" alt="">`;
}

/** The colours of the web app, whose files this page doesn't use. */
const style = `
:root { color-scheme: light dark; --page: #fcf8f3; --surface: #fff; --line: #eadfd3; --ink: #241a16; --soft: #64554b; --accent: #972f33; --mark: #972f33;
  --works: #2f5c3b; --works-soft: #e2eee2; --degraded: #7a4b0b; --degraded-soft: #fbecd0; --down: #972f33; --down-soft: #fae1dc; }
@media (prefers-color-scheme: dark) { :root { --page: #15100e; --surface: #201916; --line: #372c26; --ink: #f6ede5; --soft: #bfafa2; --accent: #f0a093; --mark: #b8423f;
  --works: #9ccaa4; --works-soft: #1f3526; --degraded: #f2cf88; --degraded-soft: #3d2c10; --down: #f0a093; --down-soft: #4a2325; } }
* { box-sizing: border-box; } body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
header, main { max-width: 42rem; margin: 0 auto; padding: 1rem min(1.25rem, 4.5vw); }
header a { display: inline-flex; align-items: center; gap: .6rem; min-height: 2.75rem; color: inherit; font: 700 1.35rem Georgia, serif; text-decoration: none; }
.bark { fill: var(--mark); } .ring { stroke: #fde2cd; stroke-width: 1.8; }
main { padding-block: min(3rem, 8vw) 4rem; }
.over { margin: 0; color: var(--soft); font-size: .92rem; }
h1 { margin: .2rem 0 0; font: 600 min(clamp(1.9rem, 1.4rem + 2.4vw, 2.7rem), 11vw)/1.12 Georgia, serif; letter-spacing: -.02em; text-wrap: balance; overflow-wrap: break-word; }
.advice { margin: .8rem 0 1.8rem; color: var(--soft); font-size: 1.1rem; text-wrap: pretty; }
ul { margin: 0; padding: 0 1.25rem; list-style: none; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); }
li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .35rem 1rem; padding: .9rem 0; }
li + li { border-top: 1px solid var(--line); }
strong { display: inline-flex; align-items: center; gap: .45rem; padding-block: .2rem; padding-inline: .6rem .8rem; border-radius: 99rem; font-size: .92rem; font-weight: 600; }
.works { color: var(--works); background: var(--works-soft); } .degraded { color: var(--degraded); background: var(--degraded-soft); }
.down { color: var(--down); background: var(--down-soft); }
.at, nav { margin: 1.2rem 0 0; color: var(--soft); font-size: .92rem; } .at a, nav a { color: var(--accent); display: inline-block; padding: .4rem 0; }
nav a { margin-inline-end: .8rem; } nav [aria-current] { color: inherit; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: .3rem; }`;
