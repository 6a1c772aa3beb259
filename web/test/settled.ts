/** Work after the first screen. Tests run it themselves, because it would otherwise run once the test's window is gone. */
const waiting: (() => void)[] = [];

/** Queues work for `runSettledWork`. */
export const keepSettledWork = (work: () => void): void => void waiting.push(work);

/** Clears the queue, for the next test. */
export const forgetSettledWork = (): void => void waiting.splice(0);

/** Runs the work that the pages shown so far have postponed. */
export const runSettledWork = (): void => {
  for (const work of waiting.splice(0)) work();
};
