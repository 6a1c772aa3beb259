import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';
import { onSessionChange } from './session/stored-session.ts';

/** What has no answer yet, oldest first: what it is known by, and its key. */
type Unanswered = [what: string, key: string][];

const entry = 'unanswered';
const mostKept = 20;

let inMemory: Unanswered = [];

function read(isKept: boolean): Unanswered {
  return isKept ? (JSON.parse(sessionStorage.getItem(entry) ?? '[]') as Unanswered) : inMemory;
}

function write(isKept: boolean, unanswered: Unanswered): void {
  if (!isKept) inMemory = unanswered;
  else if (unanswered.length === 0) sessionStorage.removeItem(entry);
  else sessionStorage.setItem(entry, JSON.stringify(unanswered));
}

/** 64 bits that tell texts apart (FNV-1a): enough to know one again, too few to read it. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(36);
}

const marks = new WeakMap<File, string>();

/** What a file is known by for as long as this page has it: the same one sent again is meant to have its effect once. */
export function markOf(file: File): string {
  const mark = marks.get(file) ?? randomKey();
  marks.set(file, mark);
  return mark;
}

/**
 * Sends a creating request under its `Idempotency-Key`. One that found no answer may have arrived all the same: sent again by
 * hand, word for word, it goes under the same key, so that it has its effect once; after a reload too where `isKept`, which
 * is for requests without a password in them.
 */
export async function sendWithKey<T>(text: string, isKept: boolean, send: (key: string) => Promise<T>): Promise<T> {
  const what = fingerprint(text);
  const others = () => read(isKept).filter(([known]) => known !== what);
  const key = read(isKept).find(([known]) => known === what)?.[1] ?? randomKey();
  const unanswered: Unanswered = [...others(), [what, key]];
  write(isKept, unanswered.slice(-mostKept));
  try {
    const answer = await send(key);
    write(isKept, others());
    return answer;
  } catch (error) {
    const isAnswered = error instanceof ApiError && error.status !== null && error.status < 500;
    if (isAnswered) write(isKept, others());
    throw error;
  }
}

onSessionChange(({ token }) => {
  if (token === null) inMemory = [];
});
