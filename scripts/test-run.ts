import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
import { projectRoot } from '../launcher/command.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

type Ran = Pick<TestModule, 'children' | 'state'>;

/**
 * Runs the tests of `projects` in `vitest.config.ts`. A pattern selects the files whose path contains it or, if there are
 * none, the tests whose title does. With a `seed`, the files run in a random order, and the tests of each file as well.
 */
export async function runTests(projects: string[], pattern: string, seed?: number): Promise<Counts> {
  const vitest = await createVitest({
    root: projectRoot,
    run: true,
    watch: false,
    project: projects,
    // Journeys wait for the browser and the database: one worker more than there are cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    ...(seed === undefined ? {} : { sequence: { seed, shuffle: { files: true, tests: true } } }),
  });
  try {
    const { testModules, unhandledErrors } = await vitest.start(await filesFor(vitest, pattern));
    return countsOf(testModules, unhandledErrors.length);
  } finally {
    await vitest.close();
  }
}

async function filesFor(vitest: Vitest, pattern: string): Promise<string[]> {
  if (pattern === '' || (await vitest.globTestSpecifications([pattern])).length > 0)
    return pattern === '' ? [] : [pattern];
  vitest.setGlobalTestNamePattern(pattern);
  const files = (await vitest.globTestSpecifications()).map(({ moduleId }) => moduleId);
  // If no file contains the title literally, it is composed of parts, so search all files.
  return files.filter((file) => readFileSync(file, 'utf8').includes(pattern));
}

/** Counts the results. A file that cannot be loaded, an error outside a test and a run without tests each count as a failure. */
export function countsOf(modules: Ran[], unhandledErrors: number): Counts {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    for (const state of states) counts[state === 'pending' ? 'failed' : state] += 1;
    if (module.state() === 'failed' && !states.includes('failed')) counts.failed += 1;
  }
  if (counts.passed + counts.failed === 0) counts.failed = 1;
  return counts;
}
