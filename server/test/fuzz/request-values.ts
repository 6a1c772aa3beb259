import fc from 'fast-check';
import { isPermission, may } from '#contract/roles.ts';
import type { JsonSchema, Operation, Parameter } from './api-description.ts';
import { anyValue, edges, fitting, hostile, type Known } from './schema-values.ts';

export const callers = ['visitor', 'member', 'moderator', 'administrator'] as const;
export type CallerName = (typeof callers)[number];

/** One request: fully generated, or the regular one with one change. */
export interface Plan {
  caller: CallerName;
  /** Null if everything is generated. */
  change: { place: 'none' | 'body' | 'query' | 'params'; index: number; value: unknown } | null;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  headers: Record<string, string>;
}

function welcome(access: Operation['access']): CallerName[] {
  if (access === 'everyone') return ['visitor', 'member'];
  if (!isPermission(access)) return ['member', 'member', 'administrator'];
  return may('moderator', access) ? ['moderator', 'administrator'] : ['administrator'];
}

/** Request plans for an operation: valid, at the limits and hostile ones, from all callers. */
export function plansFor(operation: Operation, known: Known): fc.Arbitrary<Plan> {
  const ofPlace = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  return fc.record({
    caller: fc.oneof(
      { arbitrary: fc.constantFrom(...welcome(operation.access)), weight: 3 },
      fc.constantFrom(...callers),
    ),
    change: fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, changes),
    params: record(ofPlace('path'), known),
    query: record(ofPlace('query'), known),
    body:
      operation.body === undefined
        ? fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, hostile)
        : bodies(operation.body, known),
    headers,
  });
}

const changes = fc.record({
  place: fc.constantFrom('none', 'none', 'body', 'body', 'query', 'params'),
  index: fc.nat(20),
  value: fc.oneof(hostile, edges({})),
});

/** Parameters that are all valid, or some of any type or repeated. */
function record(parameters: Parameter[], known: Known): fc.Arbitrary<Record<string, unknown>> {
  const requiredKeys = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const of = (value: (schema: JsonSchema, name: string) => fc.Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, value(schema, name)])), { requiredKeys });
  const any = (schema: JsonSchema, name: string) => {
    const once = anyValue(schema, name, known);
    return fc.oneof({ arbitrary: once, weight: 20 }, fc.array(once, { minLength: 2, maxLength: 2 }));
  };
  return fc.oneof(
    { arbitrary: of((schema, name) => fitting(schema, name, known)), weight: 5 },
    { arbitrary: of(any), weight: 4 },
  );
}

/** Valid bodies, bodies with one field of any type, and other values. */
function bodies(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const forms = ((schema['anyOf'] ?? [schema]) as JsonSchema[]).filter((form) => form['properties'] !== undefined);
  const mixed = forms.map((form) => {
    const properties = Object.entries(form['properties'] as Record<string, JsonSchema>);
    return fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, anyValue(inner, name, known)])), {
      requiredKeys: [],
    });
  });
  const more = fc.dictionary(fc.constantFrom('isAdmin', 'isVIP', '_id', 'userId', 'constructor', 'x'), hostile, {
    maxKeys: 2,
  });
  const withMore = fc.tuple(fc.oneof(...mixed), more).map(([body, extra]) => ({ ...body, ...extra }));
  return fc.oneof(
    { arbitrary: fitting(schema, '', known), weight: 5 },
    { arbitrary: withMore, weight: 4 },
    { arbitrary: hostile, weight: 1 },
  );
}

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  fc.constantFrom<Record<string, string>>(
    { 'idempotency-key': 'one-and-the-same' },
    { 'idempotency-key': 'short' },
    { 'user-agent': 'x'.repeat(4000) },
    { 'user-agent': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-encoding': 'gzip' },
    { accept: 'text/html' },
    { 'accept-encoding': 'gzip' },
    { range: 'bytes=0-1' },
    { 'x-forwarded-for': "1.2.3.4, ' or 1=1" },
    { host: 'evil.example' },
    { origin: 'null' },
    { authorization: 'Bearer x' },
    { authorization: `Bearer ${'y'.repeat(3000)}` },
    { expect: '200-ok' },
  ),
);
