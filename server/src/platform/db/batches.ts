import pg from 'pg';

/** Options of `inBatches`. */
interface BatchOptions<Item> {
  /** How many batches run at once; further items wait and are processed together. */
  atOnce: number;
  /** The largest batch. */
  most: number;
  /** A batch contains at most one item per key. */
  keyOf?: (item: Item) => string;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches concurrent calls: items that one callback asks for, and those that arrive while all places are taken, are processed
 * together, so that each costs less under load. `work` returns the results in the order of its items. When the
 * database refuses a batch, each item is retried alone, so that no request fails because of another; `work` must be safe to retry.
 */
export function inBatches<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  { atOnce, most, keyOf }: BatchOptions<Item>,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let running = 0;
  let isStarting = false;

  function take(): Waiting<Item, Answer>[] {
    const taken: Waiting<Item, Answer>[] = [];
    const left: Waiting<Item, Answer>[] = [];
    const keys = new Set<string>();
    for (const one of waiting) {
      const key = keyOf?.(one.item);
      if (taken.length === most || (key !== undefined && keys.has(key))) left.push(one);
      else {
        taken.push(one);
        if (key !== undefined) keys.add(key);
      }
    }
    waiting = left;
    return taken;
  }

  async function run(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) for (const one of batch) await run([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function start(): Promise<void> {
    while (running < atOnce && waiting.length > 0) {
      running += 1;
      await run(take());
      running -= 1;
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running === atOnce || isStarting) return;
      isStarting = true;
      queueMicrotask(() => {
        isStarting = false;
        while (running < atOnce && waiting.length > 0) void start();
      });
    });
}

/** Whether the database refused the data or reported a deadlock, as opposed to being unreachable. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');
}
