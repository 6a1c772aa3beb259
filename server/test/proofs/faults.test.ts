import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { decideCase } from '#contract/moderation/cases.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { signalAll, administratorToken, createProduct, makeAdministrator, type Product } from './product.ts';
import { call, mustCall, send, joinAs, password } from './http.ts';
import { startLoad, beginUpload, wasHarmed } from './load.ts';
import { startWorkload } from './workload.ts';

async function asSuperuser(product: Product): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: product.databaseUrl('postgres') });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Cuts all of the product's database connections. */
async function cutConnections(product: Product): Promise<void> {
  const client = await asSuperuser(product);
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  await client.end();
}

/**
 * Faults of the server and its database while clients write; `npm run prove -- crash` repeats the first test. They need
 * /proc.
 */
if (process.platform === 'linux') {
  const forLongMs = 120_000;
  let folder: string;
  let product: Product;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heartwood-proofs-'));
    chmodSync(folder, 0o755);
    product = await createProduct(folder);
    await product.start();
    await makeAdministrator(product);
  }, forLongMs);

  // A failed attempt or the previous test may have stopped it.
  beforeEach(async () => {
    if (!product.isUp()) await product.start();
  }, forLongMs);

  afterAll(async () => {
    await product.clear();
    rmSync(folder, { recursive: true, force: true });
  }, forLongMs);

  test(
    'killing the server, its database and its connections never loses or duplicates acknowledged data',
    async () => {
      const workload = await startWorkload(product, join(folder, 'ledger.jsonl'));
      const underWriting = async (fault: () => unknown) => {
        const before = workload.answers.length;
        await expect.poll(() => workload.answers.length, { timeout: forLongMs }).toBeGreaterThanOrEqual(before + 20);
        await fault();
      };
      await underWriting(async () => {
        await product.end('SIGKILL');
        await product.start();
      });
      const pid = product.pid();
      await underWriting(() => cutConnections(product));
      await underWriting(() => {
        signalAll(product.database(), 'SIGKILL');
      });
      await product.untilReady();
      await underWriting(() => cutConnections(product));
      await underWriting(() => workload.stop());
      expect(product.pid()).toBe(pid);
      expect(product.isUp()).toBe(true);
      const { acknowledged, lost, ghosts, duplicates, contradictions } = await workload.check();
      expect({ lost, ghosts, duplicates, contradictions }).toEqual({
        lost: [],
        ghosts: [],
        duplicates: [],
        contradictions: [],
      });
      expect(acknowledged).toBeGreaterThan(20);
    },
    forLongMs,
  );

  test(
    'a kill between a sanction and its email leaves neither, and deciding again creates each once',
    async () => {
      const admin = await administratorToken(product);
      const [reporter, person] = [
        await joinAs(product.origin, 'reporter@prove.test'),
        await joinAs(product.origin, 'reported@prove.test'),
      ];
      const body = { problem_type: 'Other' as const, description: 'Sent a threat.', reportedUser: person.user._id };
      await mustCall(product.origin, createReport, { token: reporter.token, body });
      let database = await asSuperuser(product);
      const one = async (text: string) => (await database.query<{ one: string }>(text)).rows[0]?.one ?? '';
      const person_id = `person_id = '${person.user._id}'`;
      const id = await one(`select id as one from moderation_case where ${person_id}`);
      const decision = {
        outcome: 'actioned' as const,
        ruleId: await one(`select id as one from community_rule where clause = '2' and replaced_at is null`),
        facts: 'Wrote a threat in the first message, and another one later.',
        sanctions: [{ kind: 'suspend' as const, days: 7 }],
      };
      const decide = () => call(product.origin, decideCase, { token: admin, params: { id }, body: decision });
      const written = () =>
        one(`select concat_ws(' ', (select count(*) from sanction where account_id = '${person.user._id}'),
          (select count(*) from case_decision where case_id = '${id}'), (select count(*) from mail where template = 'decisionMade'),
          (select is_active from account where id = '${person.user._id}'),
          (select stage from moderation_case where ${person_id})) as one`);

      // The sanction is written, and its email waits for this lock when the server dies.
      await database.query('begin');
      await database.query('lock table mail in exclusive mode');
      const cut = decide();
      const waiting = `select count(*) as one from pg_locks where not granted and relation = 'mail'::regclass`;
      await expect.poll(() => one(waiting), { timeout: forLongMs }).not.toBe('0');
      await product.end('SIGKILL');
      await database.query('commit');
      expect((await cut).kind).toBe('broken');
      await database.end();
      await product.start();
      database = await asSuperuser(product);
      expect(await written()).toBe('0 0 0 t open');

      expect(await decide()).toMatchObject({ kind: 'answered', status: 201 });
      expect(await written()).toBe('1 1 1 f decided');
      await database.end();
    },
    forLongMs,
  );

  test(
    'a hanging database gets 503 answers, and the server recovers completely afterwards',
    async () => {
      const get = (path: string) => send(product.origin, { method: 'GET', path });
      const wrong = { body: { email: 'nobody@prove.test', password: 'not their password' } };
      const stopped = product.database();
      signalAll(stopped, 'SIGSTOP');
      try {
        const answers = await Promise.all([get('/healthz'), get('/readyz'), call(product.origin, login, wrong)]);
        expect(answers.map((answer) => (answer.kind === 'answered' ? answer.status : answer.kind))).toEqual([
          200, 503, 503,
        ]);
      } finally {
        signalAll(stopped, 'SIGCONT');
      }
      await product.untilReady();
      expect(await call(product.origin, login, wrong)).toMatchObject({ kind: 'answered', status: 401 });
    },
    forLongMs,
  );

  test(
    'a stop under load answers every received request and exits with 0',
    async () => {
      const email = `restart-${randomUUID()}@prove.test`;
      const { token } = await joinAs(product.origin, email);
      const load = startLoad(product.origin, { email, password, token });
      await load.until(20);
      const upload = await beginUpload(product.origin, token);
      const readiness = () => send(product.origin, { method: 'GET', path: '/readyz' });
      // Connections are accepted in turn: once this one is answered, the server has the begin of the upload.
      expect(await readiness()).toMatchObject({ status: 200 });
      const ending = product.end('SIGTERM');
      await expect.poll(readiness).not.toMatchObject({ status: 200 });
      expect(await upload.finish()).toBe('200');
      const end = await ending;
      const outcomes = await load.stop();
      expect(outcomes.filter(wasHarmed)).toEqual([]);
      expect(outcomes.filter(({ kind }) => kind === 'answered').length).toBeGreaterThanOrEqual(20);
      expect(end.code).toBe(0);
    },
    forLongMs,
  );
}
