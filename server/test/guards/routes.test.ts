import { randomUUID } from 'node:crypto';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { makeAdministrator } from '../factories.ts';
import { startApp, type TestApp } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';

let test: TestApp;
let declared: EndpointSpec[];
let mounted: EndpointSpec[];
beforeAll(async () => {
  test = await startApp();
  declared = await contractEndpoints();
  mounted = apiRoutes().flatMap((route) => route.endpoint ?? []);
});
afterAll(() => test.close());
