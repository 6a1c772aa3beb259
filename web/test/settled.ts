/** Work for after the first screen. Tests run it themselves, because it would otherwise run once the test's window is gone. */
const waiting: (() => void)[] = [];

/** Keeps work for `runSettledWork`. */
export const keepSettledWork = (work: () => void): void => void waiting.push(work);

/** Forgets what waits, for the next test. */
export const forgetSettledWork = (): void => void waiting.splice(0);

/** Does what the pages shown so far wanted to do later. */
export const runSettledWork = (): void => {
  for (const work of waiting.splice(0)) work();
};
