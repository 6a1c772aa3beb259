import { expect, test } from 'vitest';
import { refusedLicences } from './dependencies.ts';

test('refusedLicences checks each licence name in an expression', () => {
  const packages = {
    '': { license: 'MIT' },
    'node_modules/fine': { license: '(MIT OR CC0-1.0)' },
    'node_modules/viral': { license: 'AGPL-3.0-only' },
    'node_modules/half': { license: 'MIT AND GPL-2.0-only' },
    'node_modules/silent': {},
  };
  expect(refusedLicences(packages)).toEqual([
    'node_modules/viral (AGPL-3.0-only)',
    'node_modules/half (MIT AND GPL-2.0-only)',
    'node_modules/silent (unknown)',
  ]);
});
