import Fastify from 'fastify';
import * as z from 'zod/mini';
import { describe, expect, it, vi } from 'vitest';
import { answer } from '#contract/endpoint.ts';
import { timeSchema } from '#contract/text.ts';
import { serializerSchema, withDeadline } from './mount.ts';

/** The response sent when a handler returns `body` with this schema. */
async function sent(schema: z.ZodMiniType, body: unknown): Promise<unknown> {
  const app = Fastify();
  app.get('/', { schema: { response: { 200: serializerSchema(schema) } } }, async () => body);
  const answered = await app.inject('/');
  return answered.statusCode === 200 ? answered.json() : answered.statusCode;
}

const person = z.object({ _id: z.string(), name: z.nullable(z.string()), age: z.nullable(z.int()) });

describe('a serialized answer', () => {
  it('contains the fields its schema declares', async () => {
    const body = { success: true, message: 'OK', data: { users: [{ _id: '1', name: null, age: 18 }] } };
    expect(await sent(answer({ data: z.object({ users: z.array(person) }) }), body)).toEqual(body);
  });

  it('omits undeclared fields at every depth', async () => {
    const schema = z.object({ person, people: z.array(person), maybe: z.nullable(z.object({ shown: z.string() })) });
    const full = { _id: '1', name: 'Rosa', age: 30, email: 'canary', passwordHash: 'canary' };
    const text = JSON.stringify(
      await sent(schema, { person: full, people: [full], maybe: { shown: 'x', hidden: 'canary' }, secret: 'canary' }),
    );
    expect(text).not.toContain('canary');
    expect(text).toContain('Rosa');
  });

  it('distinguishes null from a missing value', async () => {
    const schema = z.object({
      a: z.nullable(z.string()),
      b: z.optional(z.string()),
      c: z.optional(z.nullable(z.int())),
      d: z.nullable(z.object({ e: z.string() })),
    });
    expect(await sent(schema, { a: null, b: undefined, c: null, d: null })).toEqual({ a: null, c: null, d: null });
  });

  it('matches one variant of a union and never mixes variants', async () => {
    const schema = z.object({
      users: z.array(z.union([z.object({ _id: z.string(), email: z.string() }), z.object({ _id: z.string() })])),
    });
    expect(await sent(schema, { users: [{ _id: '1', email: 'a@b.test' }, { _id: '2' }] })).toEqual({
      users: [{ _id: '1', email: 'a@b.test' }, { _id: '2' }],
    });
    expect(await sent(schema, { users: [{ _id: '2', secret: 'canary' }] })).toBe(500);
  });

  it('may be a nullable union', async () => {
    const picture = z.object({ kind: z.literal('picture'), publicId: z.string() });
    const prompt = z.object({ kind: z.literal('prompt'), prompt: z.string() });
    const schema = z.object({ on: z.array(z.nullable(z.union([picture, prompt]))) });
    const on = [{ kind: 'picture', publicId: '1' }, null, { kind: 'prompt', prompt: 'small-joy' }];
    expect(await sent(schema, { on })).toEqual({ on });
    expect(await sent(schema, { on: [{ kind: 'picture', prompt: 'x' }] })).toBe(500);
  });

  it('supports records with any key, literals, and unions of numbers and strings', async () => {
    const schema = z.object({
      searchParams: z.record(z.string(), z.string()),
      growth: z.union([z.int(), z.literal('N/A')]),
      verdict: z.nullable(z.enum(['low', 'good'])),
      changes: z.optional(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
    });
    const body = {
      searchParams: { a: 'x', 'any key': '1' },
      growth: 'N/A',
      verdict: null,
      changes: { bio: { from: null, to: 'x' } },
    };
    expect(await sent(schema, body)).toEqual(body);
    expect(await sent(schema, { ...body, growth: -12 })).toMatchObject({ growth: -12 });
  });

  it('writes a date as a time, wherever the contract has one', async () => {
    const dated = z.object({ at: timeSchema, until: z.nullable(timeSchema), before: z.optional(z.array(timeSchema)) });
    const undated = z.object({ note: z.string() });
    const schema = z.object({ one: dated, any: z.array(z.nullable(z.union([dated, undated]))), raw: z.unknown() });
    const at = new Date('2026-02-03T04:05:06.007Z');
    const some = { at, until: null, before: [at] };
    const body = {
      one: { at: at.toISOString(), until: at },
      any: [some, null, { note: 'x' }, { at, until: at }],
      raw: some,
    };
    expect(await sent(schema, body)).toEqual(JSON.parse(JSON.stringify(body)));
  });

  it('fails if a required field is missing', async () => {
    expect(await sent(person, { _id: '1', name: null })).toBe(500);
  });
});

describe('withDeadline', () => {
  it('passes on results and errors that arrive in time', async () => {
    expect(await withDeadline(1000, Promise.resolve('done'))).toBe('done');
    await expect(withDeadline(1000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('returns 503 with Retry-After on timeout, and ignores late results', async () => {
    vi.useFakeTimers();
    const { promise, reject } = Promise.withResolvers<string>();
    const answer = expect(withDeadline(9000, promise)).rejects.toMatchObject({
      status: 503,
      details: { retryAfterSeconds: 2 },
    });
    await vi.advanceTimersByTimeAsync(9000);
    await answer;
    reject(new Error('too late'));
    vi.useRealTimers();
  });
});
