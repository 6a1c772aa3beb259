import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation } from './mutation.ts';

/** Reads a block of `mutations.txt`: the name, the file and its test, the text after `-`, and what replaces it after `+`. */
function readMutation(kind: Mutation['kind'], block: string): Mutation {
  const [name = '', paths = '', ...change] = block.split('\n');
  const [file = '', ...tests] = paths.split(' ');
  const after = (sign: string) =>
    change
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return { kind, name, file, tests, find: after('-'), replace: after('+') };
}

/** All mutations; numbers start at one. */
export const mutations: Mutation[] = readFileSync(join(import.meta.dirname, 'mutations.txt'), 'utf8')
  .trimEnd()
  .split(/^# /m)
  .slice(1)
  .flatMap((section) => {
    const [kind, ...blocks] = section.trimEnd().split('\n\n');
    return blocks.map((block) => readMutation(kind as Mutation['kind'], block));
  });
