import { expect, test } from 'vitest';
import { callName, contractEndpoints } from './contract-endpoints.ts';

test('commands name only paths of endpoints that can be read', async () => {
  const endpoints = await contractEndpoints();
  const readable = new Set(endpoints.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  const unknown = endpoints.flatMap((endpoint) =>
    (endpoint.stale ?? []).filter((path) => !readable.has(path)).map((path) => `${callName(endpoint)}: ${path}`),
  );
  expect(unknown).toEqual([]);
});
