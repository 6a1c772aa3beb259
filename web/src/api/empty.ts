import type * as z from 'zod/mini';

/** The replacement for a missing value: the smallest that its schema allows. */
function emptyValue(schema: z.core.$ZodType, number: number): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object')
    return Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, emptyValue(part, number)]));
  if (def.type === 'enum') return Object.values(def.entries)[0];
  const plain: Record<string, unknown> = { nullable: null, array: [], record: {}, string: '', boolean: false, number };
  return plain[def.type];
}

/** The defaults for `completed` by the schema of an answer; optional fields have none, and numbers are `number`. */
export const emptyOf = <S extends z.ZodMiniType>(schema: S, number = 0) => emptyValue(schema, number) as z.output<S>;
