import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './http.ts';

/**
 * The set checker of Jepsen: each operation carries a tag of its own and is written down, outside the product, before it is
 * sent and again when its end is known. Afterwards everything is read back through the API and compared.
 */
export type Phase = 'invoke' | 'ok' | 'fail' | 'unknown';

export interface Entry {
  tag: string;
  phase: Phase;
  /** How it ended, for whoever reads the file. */
  words?: string;
}

export interface Ledger {
  /** Does one operation under `tag`, once; a success is a 2xx. */
  perform(tag: string, operation: () => Promise<Outcome>): Promise<Outcome>;
  entries(): Entry[];
}

/** A ledger in `file`, which it begins anew. */
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

/** A 4xx promises that nothing happened, as does a connection that never was; a 5xx or a cut promises nothing. */
export function phaseOf(outcome: Outcome): Phase {
  if (outcome.kind === 'refused') return 'fail';
  if (outcome.kind === 'broken' || outcome.status >= 500) return 'unknown';
  return outcome.status < 300 ? 'ok' : 'fail';
}

export interface Verdict {
  invoked: number;
  acknowledged: number;
  unknown: number;
  /** Acknowledged, and not there. */
  lost: string[];
  /** There, and never asked for or refused. */
  ghosts: string[];
  /** There more than once. */
  duplicates: string[];
}

/** Compares what was written down with how often each tag was found; what is unknown may be there or not. */
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

/** Whether nothing was lost, made up or doubled. */
export function isClean({ lost, ghosts, duplicates }: Verdict): boolean {
  return lost.length + ghosts.length + duplicates.length === 0;
}
