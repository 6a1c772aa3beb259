import { Unfinished, checkStop } from './pieces.ts';

/**
 * How long failures may take in one run. After that, the service they depend on may be down, and every further row
 * would wait as long.
 */
const failuresMs = 60_000;

/** How a run recognizes the rows of the previous one. */
export interface Turn<T> {
  /** The name of the run: the task's name, plus what distinguishes several runs of one task. */
  round: string;
  keyOf: (row: T) => string;
}

/** The failed rows of each run, the one tried longest ago first. */
const failedBefore = new Map<string, Set<string>>();

/**
 * Processes one item after another. A failing item doesn't stop the later ones; its error is thrown at the end, as is
 * an error while reading the items. With a `turn`, which is required if there may be many rows, the run ends when
 * failures have taken a minute. When its worker stops, it ends as `Unfinished`. Rows that failed come last in the next runs of this process and take turns among
 * themselves, so that a few slow failures never block the others.
 */
export async function eachInTurn<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
  turn?: Turn<T>,
): Promise<void> {
  const failures: unknown[] = [];
  const failed = failedOf(turn);
  let lostMs = 0;
  try {
    for await (const item of turn === undefined ? items : failedLast(items, turn.keyOf, failed)) {
      checkStop();
      const startedAt = performance.now();
      try {
        await work(item);
      } catch (error) {
        if (error instanceof Unfinished) throw error;
        failures.push(error);
        if (turn === undefined) continue;
        failed.add(turn.keyOf(item));
        lostMs += performance.now() - startedAt;
        if (lostMs >= failuresMs) break;
      }
    }
  } catch (error) {
    failures.push(error);
  }
  throwAll(failures);
}

/** Takes one step after another; a failing one doesn't stop the later ones, and its error is thrown at the end. */
export const inTurn = (...steps: (() => Promise<unknown>)[]): Promise<void> => eachInTurn(steps, (step) => step());

function failedOf(turn: { round: string } | undefined): Set<string> {
  if (turn === undefined) return new Set();
  const failed = failedBefore.get(turn.round) ?? new Set();
  failedBefore.set(turn.round, failed);
  return failed;
}

/**
 * The rows, with those that failed before at the end. They are removed from the list as they come; if they fail again,
 * they are appended.
 */
async function* failedLast<T>(
  rows: Iterable<T> | AsyncIterable<T>,
  keyOf: (row: T) => string,
  failed: Set<string>,
): AsyncGenerator<T> {
  const before = new Set(failed);
  const late = new Map<string, T>();
  for await (const row of rows) {
    const key = keyOf(row);
    if (before.has(key)) late.set(key, row);
    else yield row;
  }
  for (const key of before) {
    const row = late.get(key);
    failed.delete(key);
    if (row !== undefined) yield row;
  }
}

function throwAll(failures: unknown[]): void {
  const stopped = failures.find((failure) => failure instanceof Unfinished);
  if (stopped !== undefined) throw stopped;
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(
      failures.slice(0, 10),
      `${failures.length} failed, the first with: ${String(failures[0])}`,
    );
}

type Read<T> = (after: T | undefined) => Promise<T[]>;

/**
 * All rows, page by page: `read` gets the last row of the previous page and returns the next rows in a fixed order,
 * none at the end. Rows on which the work failed are skipped, not read again.
 */
export async function* pagesOf<T>(read: Read<T>): AsyncGenerator<T> {
  for await (const page of wholePagesOf(read)) yield* page;
}

async function* wholePagesOf<T>(read: Read<T>): AsyncGenerator<T[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield page;
}

/**
 * Processes whole pages of rows, read as by `pagesOf`, and retries row by row if a page fails, so that one bad row
 * doesn't stop the others of its page. `work` must be safe to repeat.
 */
export async function eachPage<T>(read: Read<T>, work: (rows: T[]) => Promise<unknown>, turn: Turn<T>): Promise<void> {
  async function* refused(): AsyncGenerator<T> {
    for await (const page of wholePagesOf(read)) {
      checkStop();
      // A row that fails alone is reported.
      const isDone = await work(page).then(
        () => true,
        () => false,
      );
      if (!isDone) yield* page;
    }
  }
  await eachInTurn(refused(), (row) => work([row]), turn);
}
