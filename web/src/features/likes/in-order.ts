/** One thing to be done in its turn; `run` must not reject. */
export interface Turn {
  run: () => Promise<void>;
  /** May begin before its turn where the page is about to go. */
  mayHurry: boolean;
  hasBegun: boolean;
}

/** Runs what is added one after the other; `onCount` hears how many are not done, whenever that changes. */
export function inOrder(onCount: (count: number) => void) {
  let turns: readonly Turn[] = [];
  let isRunning = false;

  function change(next: readonly Turn[]): void {
    turns = next;
    onCount(next.length);
  }

  async function begin(turn: Turn): Promise<void> {
    turn.hasBegun = true;
    await turn.run();
    change(turns.filter((other) => other !== turn));
  }

  async function runAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const next = () => turns.find(({ hasBegun }) => !hasBegun);
    for (let turn = next(); turn !== undefined; turn = next()) await begin(turn);
    isRunning = false;
  }

  return {
    add(run: Turn['run'], mayHurry: boolean): Turn {
      const turn: Turn = { run, mayHurry, hasBegun: false };
      change([...turns, turn]);
      void runAll();
      return turn;
    },
    /** Takes back what has not begun; false once it has. */
    drop(turn: Turn): boolean {
      if (turn.hasBegun) return false;
      change(turns.filter((other) => other !== turn));
      return true;
    },
    /** Begins everything that may: there is no later. */
    hurry(): void {
      for (const turn of turns) if (!turn.hasBegun && turn.mayHurry) void begin(turn);
    },
    /** Takes back everything that has not begun. */
    clear(): void {
      change(turns.filter(({ hasBegun }) => hasBegun));
    },
  };
}
