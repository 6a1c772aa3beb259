/** A reason the server cannot start, in one sentence for the person at the terminal; no stack is shown. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Says on standard error why the start failed: one sentence for what was foreseen, where it happened for the rest. */
export function explainFailure(error: unknown): void {
  const words = error instanceof Error ? (error instanceof StartError ? error.message : error.stack) : String(error);
  process.stderr.write(`Heartwood cannot start. ${words}\n`);
}
