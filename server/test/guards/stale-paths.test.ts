import { expect, test } from 'vitest';
import { readSources } from '../../../scripts/import-graph.ts';
import { callName, contractEndpoints } from './contract-endpoints.ts';

/** What commands name as stale: the command, and the path. */
const named = (await contractEndpoints()).flatMap((endpoint) =>
  (endpoint.stale ?? []).map((path) => ({ by: callName(endpoint), path })),
);

/** The names of the endpoints that read each path. */
const readersOf = Map.groupBy(
  readSources(['contract/src']).flatMap(({ text }) => [
    ...text.matchAll(/export const (\w+) = endpoint\(\{\s*method: 'GET',\s*path: '([^']+)'/g),
  ]),
  ([, , path = '']) => path,
);

test('commands name only paths of endpoints that can be read', () => {
  expect(named.filter(({ path }) => !readersOf.has(path))).toEqual([]);
});

test('commands name only paths under which the app keeps answers', () => {
  const web = readSources(['web/src'])
    .map(({ text }) => text)
    .join('\n');
  const isKept = (name: string) =>
    new RegExp(`(useEndpoint|endpointQuery|endpointPages)\\(\\s*${name}\\b|typeof ${name}>|\\b${name}\\.path\\b`).test(
      web,
    );
  const elsewhere = named.filter(({ path }) => !(readersOf.get(path) ?? []).some(([, name = '']) => isKept(name)));
  expect(elsewhere, 'Read them with `useEndpoint` or `keyAt`: a key of another form never becomes stale').toEqual([]);
});
