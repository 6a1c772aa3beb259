/** A reason the server cannot start, in one sentence for the person at the terminal; no stack is shown. */
export class StartError extends Error {
  override name = 'StartError';
}
