/** A reason the server cannot start, as one sentence for the person at the terminal; no stack trace is shown. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Prints why the start failed: one sentence for expected problems, a stack trace for others. */
export function explainFailure(error: unknown): void {
  const words = error instanceof Error ? (error instanceof StartError ? error.message : error.stack) : String(error);
  process.stderr.write(`Heartwood cannot start. ${words}\n`);
}
