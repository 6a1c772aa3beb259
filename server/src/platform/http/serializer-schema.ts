import * as z from 'zod/mini';

type JsonSchema = Record<string, unknown>;

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The schema that answers are serialized with: fields it does not declare are never sent.
 * "X or null" becomes a nullable X, and text checks are dropped, because the serializer would run both for every value.
 */
export function serializerSchema(schema: z.ZodMiniType): JsonSchema {
  return simplified(z.toJSONSchema(schema, { io: 'output', target: 'draft-7' }));
}

/** The schema with null as one more allowed value. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  return Array.isArray(anyOf)
    ? { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
    : { ...schema, nullable: true };
}

function simplified(node: unknown): JsonSchema {
  if (!isRecord(node)) return {};
  const choices = node['anyOf'];
  if (Array.isArray(choices) && choices.length === 2) {
    const [first, second] = choices as unknown[];
    if (isRecord(second) && second['type'] === 'null') return orNull(simplified(first));
  }
  const result: JsonSchema = {};
  for (const [key, value] of Object.entries(node)) {
    if (['pattern', 'format', 'enum', 'minimum', 'maximum', '$schema'].includes(key)) continue;
    if (key === 'type' && Array.isArray(value)) {
      result['type'] = (value as unknown[]).find((name) => name !== 'null');
      result['nullable'] = true;
    } else if (key === 'properties' && isRecord(value)) {
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, simplified(inner)]));
    } else if (key === 'items') {
      result[key] = simplified(value);
    } else if (key === 'additionalProperties' && isRecord(value)) {
      result[key] = Object.keys(value).length === 0 ? true : simplified(value);
    } else if (key === 'anyOf' && Array.isArray(value)) {
      result[key] = value.map(simplified);
    } else {
      result[key] = value;
    }
  }
  return result;
}
