import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './http.ts';

/**
 * Jepsen's set checker: each operation carries a unique tag and is recorded outside the product, before it is sent and
 * again when its outcome is known. Afterwards everything is read back through the API and compared.
 */
export type Phase = 'invoke' | 'ok' | 'fail' | 'unknown';

export interface Entry {
  tag: string;
  phase: Phase;
  /** How the operation ended, as text for readers of the file. */
  words?: string;
}

export interface Ledger {
  /** Runs one operation under `tag` once; any 2xx is a success. */
  perform(tag: string, operation: () => Promise<Outcome>): Promise<Outcome>;
  entries(): Entry[];
}

/** Creates a ledger in `file`, which is overwritten. */
export function createLedger(file: string): Ledger {
  writeFileSync(file, '');
  const write = (entry: Entry) => {
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
  };
  return {
    async perform(tag, operation) {
      write({ tag, phase: 'invoke' });
      const outcome = await operation();
      write({
        tag,
        phase: phaseOf(outcome),
        ...(outcome.kind === 'answered' ? { words: String(outcome.status) } : { words: outcome.kind }),
      });
      return outcome;
    },
    entries: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Entry),
  };
}

/**
 * A 4xx or a failed connection guarantees that nothing happened; after a 5xx or a cut connection the outcome is
 * unknown.
 */
export function phaseOf(outcome: Outcome): Phase {
  if (outcome.kind === 'refused') return 'fail';
  if (outcome.kind === 'broken' || outcome.status >= 500) return 'unknown';
  return outcome.status < 300 ? 'ok' : 'fail';
}

export interface Verdict {
  invoked: number;
  acknowledged: number;
  unknown: number;
  /** Acknowledged, but missing. */
  lost: string[];
  /** Present although it was never requested or was refused. */
  ghosts: string[];
  /** Present more than once. */
  duplicates: string[];
}

/** Compares the ledger with how often each tag was found; operations with an unknown outcome may be present or not. */
export function judge(entries: Entry[], found: Map<string, number>): Verdict {
  const ends = new Map<string, Phase>();
  for (const { tag, phase } of entries) ends.set(tag, phase);
  const tagsThat = (phase: Phase) => [...ends].filter(([, end]) => end === phase).map(([tag]) => tag);
  const there = (tag: string) => (found.get(tag) ?? 0) > 0;
  const present = [...found.keys()].filter(there);
  return {
    invoked: ends.size,
    acknowledged: tagsThat('ok').length,
    unknown: tagsThat('unknown').length + tagsThat('invoke').length,
    lost: tagsThat('ok').filter((tag) => !there(tag)),
    ghosts: present.filter((tag) => !ends.has(tag) || ends.get(tag) === 'fail'),
    duplicates: present.filter((tag) => (found.get(tag) ?? 0) > 1),
  };
}

/** The verdict in one line, with up to three examples of what is wrong. */
export function verdictInWords(verdict: Verdict): string {
  const wrong = (['lost', 'ghosts', 'duplicates'] as const).map(
    (kind) => `${verdict[kind].length} ${kind}${examples(verdict[kind])}`,
  );
  return `${verdict.acknowledged} of ${verdict.invoked} acknowledged, ${verdict.unknown} unknown: ${wrong.join(', ')}`;
}

const examples = (tags: string[]) => (tags.length === 0 ? '' : ` (${tags.slice(0, 3).join(', ')})`);

/** Whether nothing was lost, invented or duplicated. */
export function isClean({ lost, ghosts, duplicates }: Verdict): boolean {
  return lost.length + ghosts.length + duplicates.length === 0;
}
