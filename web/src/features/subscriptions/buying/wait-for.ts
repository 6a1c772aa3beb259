const everyMs = 2000;
const forMs = 20_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks until the answer is the awaited one: at once, then every two seconds, for twenty seconds at most. For what the payment
 * provider tells the server by itself, a moment later. Null when it did not come; an unanswered question is asked again.
 */
export async function waitFor<T>(
  ask: () => Promise<T | undefined>,
  isThere: (answer: T) => boolean,
): Promise<T | null> {
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const answer = await ask();
    if (answer !== undefined && isThere(answer)) return answer;
    if (waitedMs >= forMs) return null;
    await pause(everyMs);
  }
}
