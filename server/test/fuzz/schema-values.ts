import fc from 'fast-check';
import type { JsonSchema } from './api-description.ts';

/** Realistic values for a field with this name, so that requests pass the first checks. */
export type Known = (name: string) => unknown[];

const children = (schema: JsonSchema, key: 'anyOf' | 'oneOf' | 'allOf') => schema[key] as JsonSchema[] | undefined;
const typeOf = (schema: JsonSchema) =>
  Array.isArray(schema['type']) ? (schema['type'] as string[]) : [schema['type'] as string | undefined];
const numberAt = (schema: JsonSchema, key: string, otherwise: number) =>
  typeof schema[key] === 'number' ? schema[key] : otherwise;

/** Values that match a JSON schema. */
export function fitting(schema: JsonSchema, name: string, known: Known): fc.Arbitrary<unknown> {
  const plain = fittingPlain(schema, known);
  const values = known(name);
  return values.length === 0 ? plain : fc.oneof({ arbitrary: fc.constantFrom(...values), weight: 3 }, plain);
}

function fittingPlain(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const choices = children(schema, 'anyOf') ?? children(schema, 'oneOf');
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => fittingPlain(choice, known)));
  const parts = children(schema, 'allOf');
  if (parts !== undefined)
    return fittingPlain(Object.assign({}, schema, ...parts, { allOf: undefined }) as JsonSchema, known);
  return fc.oneof(...typeOf(schema).map((type) => fittingType(type, schema, known)));
}

function fittingType(type: string | undefined, schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fittingText(schema);
    case 'integer':
      return fc.integer({ min: numberAt(schema, 'minimum', -1000), max: numberAt(schema, 'maximum', 1000) });
    case 'number':
      return fc.double({ min: numberAt(schema, 'minimum', -1e6), max: numberAt(schema, 'maximum', 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting((schema['items'] ?? {}) as JsonSchema, '', known), {
        maxLength: numberAt(schema, 'maxItems', 4),
      });
    case 'object':
      return fittingObject(schema, known);
    default:
      return fc.jsonValue();
  }
}

function fittingObject(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const fields = Object.fromEntries(properties.map(([name, inner]) => [name, fitting(inner, name, known)]));
  return fc.record(fields, { requiredKeys: (schema['required'] ?? []) as string[] });
}

function fittingText(schema: JsonSchema): fc.Arbitrary<string> {
  const minLength = numberAt(schema, 'minLength', 0);
  const maxLength = Math.min(numberAt(schema, 'maxLength', 60), minLength + 60);
  if (schema['format'] === 'email') return fc.stringMatching(/^[a-z]{1,12}$/).map((box) => `${box}@example.test`);
  if (schema['format'] === 'date')
    return fc
      .date({ min: new Date('1900-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10));
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((moment) => moment.toISOString());
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength }),
  );
}

/** Values at, and just beyond, the limits of a JSON schema. */
export function edges(schema: JsonSchema): fc.Arbitrary<unknown> {
  const inner = [schema, ...(children(schema, 'anyOf') ?? []), ...(children(schema, 'oneOf') ?? [])];
  const longest = Math.max(0, ...inner.map((one) => numberAt(one, 'maxLength', 0)));
  const lengths = [0, 1, longest - 1, longest, longest + 1].filter((length) => length >= 0);
  const numbers = inner
    .flatMap((one) => [numberAt(one, 'minimum', 0), numberAt(one, 'maximum', 0)])
    .flatMap((limit) => [limit - 1, limit, limit + 1, limit + 0.5]);
  const words = inner.flatMap((one) => (Array.isArray(one['enum']) ? (one['enum'] as unknown[]) : []));
  return fc.oneof(
    fc
      .constantFrom(...lengths, 60, 100, 255, 1000)
      .chain((length) =>
        fc.constantFrom('x', ' ', 'ß', 'İ', '\u0301', '🔑', '\u202e').map((letter) => letter.repeat(length)),
      ),
    fc.constantFrom<unknown>(
      ...numbers,
      ...numbers.map(String),
      0,
      -0,
      1,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      1e308,
      5e-324,
      0.1,
    ),
    fc.constantFrom<unknown>(
      null,
      '',
      ' ',
      [],
      {},
      true,
      false,
      'true',
      'null',
      ...words.map((word) => String(word).toUpperCase()),
      ...words.map((word) => ` ${String(word)} `),
    ),
    fc.constantFrom(
      '0000-01-01',
      '0001-01-01',
      '1900-02-29',
      '2000-02-29',
      '9999-12-31',
      '2008-06-15',
      '2008-06-16',
      '1990-13-01',
      '-000001-01-01',
      '2026-06-15T12:00:00Z',
      '1e3',
      '0x10',
      '١٢',
      '+5',
      '1_000',
      ' 7 ',
      '007',
    ),
  );
}

const deep = (depth: number): unknown => (depth === 0 ? [] : [deep(depth - 1)]);

/** Values an attacker would send. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    "' or 1=1 --",
    "'; drop table account; --",
    '"; select pg_sleep(10); --',
    '\\',
    '%',
    '_',
    '%%%___\\',
    '${7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '../../../../etc/passwd',
    '..%2f..%2fpackage.json',
    'rosa@example.test\r\nBcc: thief@example.test',
    'x\r\nset-cookie: a=b',
    '%s%s%n',
    '=1+1',
    '(((((((((a+)+)+)+)+)+)+)+)+!',
    `${'a'.repeat(5000)}!`,
    '🔑'.repeat(2000),
    '\u202e\u200b\ufeff',
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '[object Object]',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'eyJhbGciOiJub25lIn0.e30.',
    'e30',
    'W10',
    'bnVsbA',
    -1,
    1e308,
    2 ** 53 + 2,
    true,
    [],
    [[]],
    [null],
    ['a', 'b'],
    {},
    { $gt: '' },
    { toString: null },
    { then: 1 },
    { length: -1 },
    { constructor: 1 },
    deep(50),
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.jsonValue(),
);

/** A value for one field: mostly valid, otherwise at its limits or hostile. */
export function anyValue(schema: JsonSchema, name: string, known: Known): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fitting(schema, name, known), weight: 6 },
    { arbitrary: edges(schema), weight: 2 },
    { arbitrary: hostile, weight: 2 },
  );
}
