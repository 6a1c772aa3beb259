import pg from 'pg';

/** How work is put together; see `inBatches`. */
export interface BatchOptions<Item> {
  /** So many batches are under way at once before what comes next waits, to be done together. */
  atOnce: number;
  /** The largest batch. */
  most: number;
  /** Of items with the same key a batch holds one. */
  keyOf?: (item: Item) => string;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Does one thing for many askers: at once while there is little to do, and together what has come meanwhile when there is much, so
 * that each costs less the more there are. `work` answers its items in their order. When what one of several brought is refused, each
 * is tried by itself, so that nobody's request fails for another's: it must be such as may be tried again.
 */
export function inBatches<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  { atOnce, most, keyOf }: BatchOptions<Item>,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let running = 0;

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
      if (running < atOnce) void start();
    });
}

/** Whether the database did not like what it was given, or that two waited for each other; and not that it was out of reach. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');
}
