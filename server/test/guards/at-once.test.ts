import { describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { errorStatus } from '#contract/errors.ts';
import { makeMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { accessMatrix } from './access-matrix.ts';
import { callName, contractEndpoints } from './contract-endpoints.ts';
import { makePerson, passwordHash } from './people.ts';
import { requestFor, send, type Scene } from './requests.ts';

const copies = 6;
const endpoints = (await contractEndpoints()).map((endpoint) => [callName(endpoint), endpoint] as const);
const test = startAppForTests();

/** The statuses that an endpoint may return besides success: its declared ones and the general ones. */
const declared = (endpoint: EndpointSpec) =>
  new Set([endpoint.status ?? 200, 400, 401, 403, 429, ...(endpoint.errors ?? []).map((code) => errorStatus[code])]);

describe('the same request sent six times in parallel', () => {
  it.each(endpoints)('%s: succeeds at least once, and every request is answered', async (name, endpoint) => {
    for (const role of ['member', 'administrator'] as const) {
      const scene: Scene = {
        test,
        actor: await makePerson(test, role),
        other: await makeMember(test, { passwordHash: await passwordHash() }),
      };
      const request = await requestFor(endpoint, scene);
      const answers = await Promise.all(Array.from({ length: copies }, () => send(scene, endpoint, request)));
      const statuses = answers.map(({ status }) => status);
      expect(
        statuses.filter((status) => !declared(endpoint).has(status) || status >= 500),
        role,
      ).toEqual([]);
      expect(statuses, role).toContain(accessMatrix[name]?.cells[role]);
    }
  });
});
