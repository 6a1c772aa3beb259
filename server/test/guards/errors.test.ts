import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { errorStatus } from '#contract/errors.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { makeAdministrator, makeMember } from '../factories.ts';
import { loseDatabase, startApp, startAppForTests, type TestApp } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { passwordHash } from './people.ts';
import { requestFor, type CallRequest } from './requests.ts';

const endpoints = (await contractEndpoints()).map((endpoint) => [callName(endpoint), endpoint] as const);
const test = startAppForTests();

/** Internal terms of the database, the libraries and the machine. */
const tellTales =
  /\bat (async )?[\w.<>]+ \(|node_modules|\/(work|home|root|usr|tmp|server|var)\/|\.(ts|js|mjs):\d|\b(select|insert|update|delete) .{0,40}\b(from|into|set|where)\b|\brelation\b|\bcolumn\b|constraint|syntax error|duplicate key|postgres|kysely|fastify|FST_|zod|pino|undefined|\[object|ECONN|E[A-Z]{5,}:|\bv?\d+\.\d+\.\d+\b/i;

/** The internal details in an error answer. */
function givenAway(what: string, answer: { statusCode: number; body: string }): string[] {
  if (answer.statusCode < 400) return [];
  const body = errorBodySchema.safeParse(JSON.parse(answer.body));
  if (!body.success) return [`${what} (${answer.statusCode}) is no error body: ${answer.body}`];
  const { requestId: _, ...shown } = body.data;
  if (errorStatus[body.data.code as keyof typeof errorStatus] !== answer.statusCode)
    return [`${what} (${answer.statusCode}) has the code ${body.data.code}`];
  const leaked = tellTales.exec(JSON.stringify(shown));
  return leaked === null ? [] : [`${what} (${answer.statusCode}) says ${leaked[0]}`];
}

async function ask(
  from: TestApp,
  endpoint: (typeof endpoints)[number][1],
  request: Omit<CallRequest, 'body'> & { body?: unknown },
  token: string | null,
) {
  const { body } = request;
  const query = new URLSearchParams(request.query).toString();
  return await from.app.inject({
    method: endpoint.method,
    url: addressOf(endpoint, request.params?.['id'] ?? 'x') + (query === '' ? '' : `?${query}`),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

describe('error answers reveal nothing internal', () => {
  it('for invalid input, failed sign-ins and missing permissions', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    const other = await makeMember(test);
    const given: string[] = [];
    for (const [name, endpoint] of endpoints) {
      const request = await requestFor(endpoint, { test, actor: member, other });
      given.push(...givenAway(`${name} of nobody`, await ask(test, endpoint, request, null)));
      given.push(...givenAway(`${name} of a stranger`, await ask(test, endpoint, request, 'x.y.z')));
      given.push(...givenAway(`${name} with nothing`, await ask(test, endpoint, { body: {} }, other.token)));
      given.push(
        ...givenAway(
          `${name} with nonsense`,
          await ask(
            test,
            endpoint,
            { params: { id: "'; drop table account; --" }, query: { search: "'", limit: '0' }, body: '{"a":' },
            other.token,
          ),
        ),
      );
    }
    expect(given).toEqual([]);
  });

  it('while tables that the endpoint needs are missing', async () => {
    const broken = await startApp();
    const administrator = await makeAdministrator(broken, { passwordHash: await passwordHash() });
    const other = await makeMember(broken, { passwordHash: await passwordHash() });
    const prepared = [];
    for (const [name, endpoint] of endpoints) {
      if (name === 'POST /auth/logout' || name === 'DELETE /auth/sessions/{id}') continue;
      prepared.push([
        name,
        endpoint,
        await requestFor(endpoint, { test: broken, actor: administrator, other }),
      ] as const);
    }
    for (const table of [
      'profile',
      'directory',
      'statistic',
      'verification',
      'mail',
      'audit_event',
      'password_reset',
      'restore_handle',
      'installation',
    ]) {
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_elsewhere`)}`.execute(broken.db);
    }
    const given: string[] = [];
    const statuses = new Set<number>();
    for (const [name, endpoint, request] of prepared) {
      const answer = await ask(broken, endpoint, request, administrator.token);
      statuses.add(answer.statusCode);
      given.push(...givenAway(name, answer));
    }
    expect(given).toEqual([]);
    expect(statuses).toContain(500);
    await broken.close();
  });

  it('while the database is down: 503 with a message and Retry-After', async () => {
    const broken = await startApp();
    const administrator = await makeAdministrator(broken, { passwordHash: await passwordHash() });
    const other = await makeMember(broken, { passwordHash: await passwordHash() });
    const prepared = [];
    for (const [name, endpoint] of endpoints)
      prepared.push([name, endpoint, await requestFor(endpoint, { test: broken, actor: other, other })] as const);
    await loseDatabase(broken);
    const wrong: string[] = [];
    for (const [name, endpoint, request] of prepared) {
      const answer = await ask(broken, endpoint, request, administrator.token);
      wrong.push(...givenAway(name, answer));
      if (answer.statusCode !== 503 || Number(answer.headers['retry-after']) < 1)
        wrong.push(`${name} → ${answer.statusCode} ${answer.body}`);
    }
    expect(wrong).toEqual([]);
    expect((await broken.app.inject('/healthz')).statusCode).toBe(200);
    await broken.close();
  });
});
