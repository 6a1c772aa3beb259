import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { givenPasswordSchema, idSchema, tokenText } from '#contract/text.ts';
import { callName, contractEndpoints } from './contract-endpoints.ts';

type Schema = z.core.$ZodType;

/** Texts that no one reads, because they are only compared or searched for. */
const opaque = new Set<Schema>([idSchema, givenPasswordSchema, tokenText]);
const opaqueFields =
  /password|token|code|cursor|key$|credential|challenge|nonce|evidenceId|clientId|secret|redirectUri|sha256|endpoint|^task$|^was$/i;

/** The schemas of all texts in `schema`, with the names of their fields. */
function textsIn(schema: Schema, field: string): [field: string, text: Schema][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (opaque.has(schema)) return [];
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, one]) =>
      opaqueFields.test(name) ? [] : textsIn(one, `${field} ${name}`),
    );
  if (def.type === 'optional' || def.type === 'nullable') return textsIn(def.innerType, field);
  if (def.type === 'array') return textsIn(def.element, field);
  if (def.type === 'union') return def.options.flatMap((one) => textsIn(one, field));
  if (def.type === 'pipe') return textsIn(def.in, field);
  return def.type === 'string' ? [[field, schema]] : [];
}

const marks = [
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u{e0041}',
  '\ufe00',
  '\ufe0f',
  '\u{e0100}',
];
const samples = [...[4, 30, 80].map((length) => 'Words '.repeat(length / 2)), 'Word'];

/** The marks that a text keeps if it is accepted. */
const keptBy = (text: Schema) =>
  marks.filter((mark) =>
    samples.some((sample) => {
      const parsed = (text as z.ZodMiniString).safeParse(`${sample}${mark}${sample}`.trim());
      return parsed.success && parsed.data.includes(mark);
    }),
  );

it('texts in requests lose hidden characters and direction marks', async () => {
  const texts = (await contractEndpoints()).flatMap((endpoint) =>
    // The names of files are cleaned when they arrive.
    endpoint.body === undefined || endpoint.uploads === true ? [] : textsIn(endpoint.body, callName(endpoint)),
  );
  expect(texts.length).toBeGreaterThan(60);
  expect(texts.filter(([, text]) => keptBy(text).length > 0).map(([field]) => field)).toEqual([]);
});
