import * as z from 'zod/mini';
import { apiBasePath } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { errorBodySchema, errorStatus } from '#contract/errors.ts';

type JsonSchema = Record<string, unknown>;

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  return rest;
};

/** The name of a call: `POST /auth/login` is `postAuthLogin`. */
export function operationId(endpoint: EndpointSpec): string {
  const words = endpoint.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return endpoint.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: inner,
  }));
}

function operation(endpoint: EndpointSpec): JsonSchema {
  const failures = new Set<number>([...(endpoint.errors ?? []).map((code) => errorStatus[code]), 400, 429, 503]);
  if (endpoint.access !== 'everyone') for (const status of [401, 403]) failures.add(status);
  if (endpoint.method !== 'GET') for (const status of [413, 415]) failures.add(status);
  if (endpoint.creates === true) failures.add(errorStatus.IDEMPOTENCY_MISMATCH);
  const idempotencyHeader = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 8, maxLength: 128 },
  };
  const content =
    endpoint.response === undefined
      ? { [endpoint.streams ?? 'text/plain']: { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaOf(endpoint.response, 'output') } };
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1]],
    ...(endpoint.access === 'everyone' ? { security: [{}, { bearer: [] }] } : { security: [{ bearer: [] }] }),
    'x-access': endpoint.access,
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.creates === true ? [idempotencyHeader] : []),
    ],
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              endpoint.uploads === true
                ? { 'multipart/form-data': { schema: oneFile } }
                : { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
          },
        }),
    responses: {
      [endpoint.status ?? 200]: { description: 'Success', content },
      ...Object.fromEntries([...failures].sort().map((status) => [status, { $ref: '#/components/responses/Failure' }])),
    },
  };
}

/** A form with one file. */
const oneFile: JsonSchema = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

/** The OpenAPI 3.1 description of `endpoints`, made from the schemas that validate. */
export function describeApi(endpoints: EndpointSpec[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heartwood',
      version: '1',
      description: 'A dating service that people can trust and a team can run.',
    },
    servers: [{ url: apiBasePath }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: {
        Failure: {
          description: 'Refused',
          content: { 'application/json': { schema: schemaOf(errorBodySchema, 'output') } },
        },
      },
    },
  };
}
