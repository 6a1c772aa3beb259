import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { makeAdministrator, makeMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { accessMatrix } from './access-matrix.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { databaseContents } from './database/database-contents.ts';
import { newAddress, passwordHash } from './people.ts';
import { requestFor, type CallRequest, type Scene } from './requests.ts';

const endpoints = (await contractEndpoints()).map((endpoint) => [callName(endpoint), endpoint] as const);
// Forms with files are tested separately.
const withBody = endpoints.filter(([, { body, uploads }]) => body !== undefined && uploads !== true);
const test = startAppForTests();
let scene: Scene;
beforeAll(async () => {
  scene = {
    test,
    actor: await makeAdministrator(test, { passwordHash: await passwordHash() }),
    other: await makeMember(test, { passwordHash: await passwordHash() }),
  };
});

/** Sends a raw body in an otherwise regular request; `rawQuery` is sent unchanged. */
async function sendRaw(
  endpoint: EndpointSpec,
  request: CallRequest & { rawQuery?: string },
  payload: string | Buffer,
  headers: Record<string, string> = {},
) {
  const token = scene.actor?.token ?? '';
  return await test.app.inject({
    method: endpoint.method,
    url: addressOf(endpoint, Object.values(request.params ?? {})[0] ?? 'x') + (request.rawQuery ?? ''),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    payload,
  });
}

type Answer = Awaited<ReturnType<typeof sendRaw>>;

/** What is wrong with a refusal of invalid input: it must be a clear 4xx that names the field. */
function wrongRefusal(what: string, answer: Answer, statuses = [400]): string[] {
  if (!statuses.includes(answer.statusCode)) return [`${what} → ${answer.statusCode} ${answer.body.slice(0, 120)}`];
  const body = errorBodySchema.safeParse(answer.json());
  if (!body.success) return [`${what} → not an error body: ${answer.body.slice(0, 120)}`];
  const errors = body.data.errors ?? [];
  return errors.length > 0 && errors.every(({ field, msg }) => field !== '' && msg.length > 5)
    ? []
    : [`${what} → no errors: ${answer.body.slice(0, 120)}`];
}

/** The fields of a body with whether they are required; empty for bodies with several forms. */
function fieldsOf(endpoint: EndpointSpec): { name: string; required: boolean }[] {
  if (endpoint.body === undefined) return [];
  const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object;
    required?: string[];
  };
  return Object.keys(schema.properties ?? {}).map((name) => ({
    name,
    required: schema.required?.includes(name) === true,
  }));
}

const wrongTypes: unknown[] = [[], {}, [[]], { a: 1 }, 1e308, -1];
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const unreadable: [string, string | Buffer, number[]][] = [
  ['broken JSON', '{"email": "a@b.test", ', [400]],
  ['text that is not JSON', 'email=a@b.test&password=x', [400]],
  ['NUL instead of JSON', '\0', [400]],
  ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), [400]],
  ['a prototype', '{"__proto__": {"isAdmin": true}}', [400]],
  ['a prototype through its constructor', '{"constructor": {"prototype": {"isAdmin": true}}}', [400]],
  ['two megabytes', JSON.stringify({ email: 'x'.repeat(2_000_000) }), [413]],
  ['two megabytes of spaces', `{"a": 1${' '.repeat(2_000_000)}}`, [413]],
  ['a number', '17', [400]],
  ['a text', '"text"', [400]],
  ['a list', '[{"email": "a@b.test"}]', [400]],
  ['true', 'true', [400]],
  ['deeply nested lists', deep(100_000), [400]],
];

describe('a malformed body is refused with a message and changes nothing', () => {
  it.each(withBody)('%s', async (_, endpoint) => {
    const request = await requestFor(endpoint, scene);
    const before = await databaseContents(test.db);
    const wrong: string[] = [];
    for (const [what, payload, statuses] of unreadable) {
      wrong.push(...wrongRefusal(what, await sendRaw(endpoint, request, payload), statuses));
      wrong.push(
        ...wrongRefusal(
          `${what}, keyed`,
          await sendRaw(endpoint, request, payload, { 'idempotency-key': 'hostile-key-1' }),
          statuses,
        ),
      );
    }
    const text = JSON.stringify(request.body);
    for (const type of [
      'text/plain',
      'text/html',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonp',
      'nonsense',
      ';;;',
    ]) {
      wrong.push(...wrongRefusal(type, await sendRaw(endpoint, request, text, { 'content-type': type }), [415]));
    }
    wrong.push(
      ...wrongRefusal(
        'an unsupported encoding',
        await sendRaw(endpoint, request, text, { 'content-encoding': 'gzip' }),
      ),
    );
    wrong.push(
      ...wrongRefusal(
        'an unknown encoding',
        await sendRaw(endpoint, request, text, { 'content-encoding': 'zip' }),
        [415],
      ),
    );
    expect(wrong).toEqual([]);
    expect(await databaseContents(test.db)).toEqual(before);
  });
});

describe('an invalid field is named in the error, and nothing changes', () => {
  it.each(withBody.filter(([, endpoint]) => fieldsOf(endpoint).length > 0))('%s', async (_, endpoint) => {
    const request = await requestFor(endpoint, scene);
    const before = await databaseContents(test.db);
    const wrong: string[] = [];
    const refuse = async (what: string, name: string, body: unknown) => {
      const answer = await sendRaw(endpoint, request, JSON.stringify(body));
      wrong.push(...wrongRefusal(what, answer));
      if (answer.statusCode === 400 && !answer.body.includes(`"field":"${name}`))
        wrong.push(`${what} → another field: ${answer.body}`);
    };
    for (const { name, required } of fieldsOf(endpoint)) {
      for (const value of wrongTypes) {
        const isFitting = endpoint.body?.safeParse({ ...request.body, [name]: value }).success;
        if (isFitting !== true)
          await refuse(`${name} = ${JSON.stringify(value)}`, name, { ...request.body, [name]: value });
      }
      const { [name]: given, ...others } = request.body ?? {};
      if (required) await refuse(`no ${name}`, name, others);
      if (typeof given !== 'string') continue;
      await refuse(`${name} with NUL`, name, { ...request.body, [name]: `${given}\0` });
      await refuse(`${name} with half a character`, name, { ...request.body, [name]: `${given}\ud800` });
      await refuse(`${name} with the other half`, name, { ...request.body, [name]: `\udfff${given}` });
      await refuse(`${name} without end`, name, { ...request.body, [name]: given + 'x'.repeat(100_000) });
    }
    expect(wrong).toEqual([]);
    expect(await databaseContents(test.db)).toEqual(before);
  });
});

describe('an invalid query is refused', () => {
  // For forms with files, the query is read after the form.
  const withQuery = endpoints.filter(([, { query, uploads }]) => query !== undefined && uploads !== true);
  it.each(withQuery)('%s', async (_, endpoint) => {
    const schema = z.toJSONSchema(endpoint.query ?? z.object({}), { io: 'input', unrepresentable: 'any' }) as {
      properties?: object;
    };
    const before = await databaseContents(test.db);
    const wrong: string[] = [];
    for (const name of Object.keys(schema.properties ?? {})) {
      for (const value of ['%00', 'x'.repeat(5000)]) {
        const answer = await sendRaw(endpoint, { rawQuery: `?${name}=${value}` }, '');
        wrong.push(...wrongRefusal(`${name}=${value.slice(0, 10)}`, answer));
      }
      const twice = await sendRaw(endpoint, { rawQuery: `?${name}=1&${name}=2` }, '');
      wrong.push(...wrongRefusal(`${name} twice`, twice));
    }
    expect(wrong).toEqual([]);
    expect(await databaseContents(test.db)).toEqual(before);
  });
});

describe('an invalid id is refused', () => {
  // For forms with files, the address is read after the form.
  it.each(endpoints.filter(([, { params, uploads }]) => params !== undefined && uploads !== true))(
    '%s',
    async (_, endpoint) => {
      const { body, query } = await requestFor(endpoint, scene);
      const payload = body === undefined ? '' : JSON.stringify(body);
      const text = new URLSearchParams(query).toString();
      const wrong: string[] = [];
      for (const id of ['\0', 'x\0y', 'x'.repeat(65)]) {
        wrong.push(
          ...wrongRefusal(
            JSON.stringify(id).slice(0, 20),
            await sendRaw(endpoint, { params: { id }, rawQuery: text === '' ? '' : `?${text}` }, payload),
          ),
        );
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('undeclared fields of a body are ignored', () => {
  const oddities =
    '"huge":1e999,"digits":' +
    '9'.repeat(1000) +
    ',"minus":-0,"toString":null,"hasOwnProperty":1,"":"","then":{},"length":-1';
  it.each(withBody)('%s', async (name, endpoint) => {
    for (const extra of [oddities, `"deep":${deep(100_000)}`]) {
      const from: Scene = { ...scene, actor: await makeAdministrator(test, { passwordHash: await passwordHash() }) };
      const { body, params = {} } = await requestFor(endpoint, from);
      const text = JSON.stringify(body);
      const answer = await test.app.inject({
        method: endpoint.method,
        url: addressOf(endpoint, Object.values(params)[0] ?? ''),
        headers: {
          authorization: `Bearer ${from.actor?.token}`,
          'content-type': 'application/json',
          'idempotency-key': newAddress(),
        },
        payload: text === '{}' ? `{${extra}}` : `${text.slice(0, -1)},${extra}}`,
      });
      expect(answer.statusCode, `${extra.slice(0, 10)} ${answer.body.slice(0, 100)}`).toBe(
        accessMatrix[name]?.cells.administrator,
      );
    }
  });
});
