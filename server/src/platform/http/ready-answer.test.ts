import { expect, it } from 'vitest';
import { createMemory } from './ready-answer.ts';

it('forgets what was not used for longest when there is no room', () => {
  const memory = createMemory<string>(300);
  for (const key of ['a', 'b', 'c']) memory.put(key, key, 100);
  memory.get('a');
  memory.put('d', 'd', 100);
  expect(['a', 'b', 'c', 'd'].map((key) => memory.get(key))).toEqual(['a', undefined, 'c', 'd']);
});

it('counts an entry that was replaced once', () => {
  const memory = createMemory<string>(300);
  memory.put('a', 'a', 100);
  for (let made = 0; made < 5; made += 1) memory.put('b', `b${made}`, 200);
  expect([memory.get('a'), memory.get('b')]).toEqual(['a', 'b4']);
});

it('keeps nothing that is larger than all of it', () => {
  const memory = createMemory<string>(300);
  memory.put('a', 'a', 301);
  expect(memory.get('a')).toBeUndefined();
});
