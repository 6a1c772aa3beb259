import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Db } from '../../server/src/platform/db/db.ts';
import type { AccessTokens } from '../../server/src/platform/session/access-tokens.ts';
import { openSession } from '../../server/src/platform/session/sessions.ts';

/** Questions about discovery that the serving process answers outside HTTP. */
export type DiscoveryQuestion =
  | { signIn: string[] }
  /** Opens another session for each; the answer is its refresh tokens. */
  | { refreshTokensOf: string[] }
  | { replayCards: string[]; clients: number; seconds: number }
  | { refill: string[] }
  | { pairsOf: string[]; each: number }
  /** The statements that a GET of this path sends to the database. */
  | { statementsOf: string; token: string }
  /** The cursor that continues the list of users after this page of 20. */
  | { cursorAfter: number; token: string };

interface Kitchen {
  app: FastifyInstance;
  pool: pg.Pool;
  db: Db;
  tokens: AccessTokens;
}

/** The issued tokens by account. */
const given = new Map<string, string>();

/** Answers one question: tokens, calls per second, times in milliseconds, or pairs of a viewer's place and a target. */
export async function answerDiscovery(kitchen: Kitchen, question: DiscoveryQuestion): Promise<unknown> {
  if ('signIn' in question) return await signIn(kitchen, question.signIn);
  if ('refreshTokensOf' in question)
    return (await openSessions(kitchen, question.refreshTokensOf)).map(({ refreshToken }) => refreshToken);
  if ('replayCards' in question) return await replayCards(kitchen, question);
  if ('statementsOf' in question) return await statementsOfCall(kitchen, question.statementsOf, question.token);
  if ('cursorAfter' in question) return await cursorAfter(kitchen, question.cursorAfter, question.token);
  if ('refill' in question) return await refill(kitchen, question.refill);
  return await pairsOf(kitchen, question);
}

async function signIn(kitchen: Kitchen, ids: string[]): Promise<string[]> {
  const opened = await openSessions(kitchen, ids);
  opened.forEach(({ token }, index) => given.set(ids[index] ?? '', token));
  return opened.map(({ token }) => token);
}

async function openSessions({ db, tokens }: Kitchen, ids: string[]) {
  const opened: Awaited<ReturnType<typeof openSession>>[] = [];
  for (const id of ids)
    opened.push(
      await openSession(db, { id, isStaff: false }, { name: 'Bench', network: null }, { tokens, now: new Date() }),
    );
  return opened;
}

/** One statement as sent to the database. */
type Statement = { name?: string; text: string; values?: unknown[] };

/** Where statements are recorded while recording is on. */
let noted: Statement[] | null = null;
let sent = 0;

/** How many statements this process has sent to the database. */
export const sentStatements = (): number => sent;

const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
// Patch before the first connection, since each connection keeps the function it found.
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    sent += 1;
    const [first, second] = args;
    if (typeof first === 'string') noted?.push({ text: first, values: Array.isArray(second) ? second : [] });
    else noted?.push(first as Statement);
    return Reflect.apply(query, this, args);
  },
});

/** All statements that `work` sends. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  noted = statements;
  await work();
  noted = null;
  return statements;
}

async function get({ app }: Kitchen, url: string, token: string) {
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
  return answer;
}

async function statementsOfCall(kitchen: Kitchen, url: string, token: string): Promise<Statement[]> {
  const statements = await statementsOf(() => get(kitchen, url, token));
  return statements.map(({ name, text, values }) => ({ text, values: values ?? [], ...(name && { name }) }));
}

async function cursorAfter(kitchen: Kitchen, page: number, token: string): Promise<{ cursor: string }> {
  const { body } = await get(kitchen, `/api/v1/auth/users?limit=20&page=${page}`, token);
  const { data } = JSON.parse(body) as { data: { pagination: { nextCursor: string } } };
  return { cursor: data.pagination.nextCursor };
}

/** Replays only the database statements of card pages with that many clients; returns pages per second. */
async function replayCards(
  { app, pool }: Kitchen,
  { replayCards: ids, clients, seconds }: { replayCards: string[]; clients: number; seconds: number },
): Promise<number> {
  const pages: Statement[][] = [];
  for (const id of ids) {
    const headers = { authorization: `Bearer ${given.get(id) ?? ''}` };
    pages.push(await statementsOf(() => app.inject({ url: '/api/v1/discovery?limit=20', headers })));
  }
  // A job or ticker may have run in between: keep the statements that most pages have in common.
  const usual = new Map<string, number>();
  for (const page of pages) for (const { text } of page) usual.set(text, (usual.get(text) ?? 0) + 1);
  const isOfPage = ({ text }: Statement) => (usual.get(text) ?? 0) > pages.length * 0.6;
  for (const [at, page] of pages.entries()) pages[at] = page.filter(isOfPage);
  if (pages.some((page) => page.length === 0)) throw new Error('A page without statements was recorded.');
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const client = async () => {
    while (performance.now() < until) {
      const page = pages[done % pages.length] ?? [];
      done += 1;
      for (const statement of page) await pool.query(statement);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  process.stdout.write(`  ${pages[0]?.length ?? 0} statements a page\n`);
  return done / seconds;
}

async function refill({ app }: Kitchen, ids: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const accountId of ids) {
    const started = performance.now();
    await app.background.tasks['discovery.refill']?.({ accountId }, undefined as never);
    times.push(performance.now() - started);
  }
  return times;
}

async function pairsOf({ pool }: Kitchen, { pairsOf: ids, each }: { pairsOf: string[]; each: number }) {
  const { rows } = await pool.query<{ at: number; target: string }>(
    `select asked.place::int - 1 as at, target from unnest($1::uuid[]) with ordinality as asked (id, place)
       join deck d on d.viewer_id = asked.id cross join lateral unnest(d.targets[1:$2]) as target
     where not exists (select from decision where viewer_id = asked.id and target_id = target)
       and not exists (select from match where low_id = least(asked.id, target) and high_id = greatest(asked.id, target))`,
    [ids, each],
  );
  return rows.map(({ at, target }): [number, string] => [at, target]);
}
