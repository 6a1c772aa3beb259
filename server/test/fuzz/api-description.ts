import type { Access } from '#contract/endpoint.ts';

export type JsonSchema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: JsonSchema }>;
}

/** The used parts of `/api/v1/openapi.json`. */
export interface ApiDescription {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        'x-access': Access;
        security: object[];
        parameters: Parameter[];
        requestBody?: { content: Record<string, { schema: JsonSchema }> };
        responses: Record<string, Response>;
      }
    >
  >;
  components: { responses: Record<string, Response> };
}

/** One operation of the description. */
export interface Operation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1`, with parameters as `{name}`. */
  path: string;
  access: Access;
  /** Whether it may be called without a token. */
  isOpen: boolean;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  /** Media type and schema of the answer, by status. */
  responses: Record<string, { mediaType: string; schema: JsonSchema }>;
}

/** Every operation of the description, with resolved references. */
export function operationsOf(api: ApiDescription): Operation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase() as Operation['method'],
      path,
      access: operation['x-access'],
      isOpen: operation.security.some((way) => Object.keys(way).length === 0),
      parameters: operation.parameters,
      body: operation.requestBody?.content['application/json']?.schema,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, contentOf(api, response)]),
      ),
    })),
  );
}

function contentOf(api: ApiDescription, response: Response): { mediaType: string; schema: JsonSchema } {
  const name = response.$ref?.split('/').at(-1);
  const resolved = name === undefined ? response : api.components.responses[name];
  const [mediaType, content] = Object.entries(resolved?.content ?? {})[0] ?? ['', { schema: {} }];
  return { mediaType, schema: content.schema };
}
