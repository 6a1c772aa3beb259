import { createHash } from 'node:crypto';
import pg from 'pg';

/** A statement that contains this mark is planned each time with its values; see `plannedForValues`. */
export const plannedMark = '/* planned for its values */';

/**
 * From this use on, a statement is prepared, which means planned once per connection. Most statements sent less often
 * were built for one occasion.
 */
const preparedFromUse = 5;
/**
 * The most statements that a pool prepares, because each connection stores their plans. Those used most reach the limit
 * first.
 */
const mostPrepared = 300;
const mostCounted = 1000;

/** The connection lacks a statement of this name or already has one, because a pooler switched connections. */
const passedOnCodes = ['26000', '42P05'];

/**
 * Whether a statement failed before it ran because of how it was prepared: a migration changed its result columns, or a
 * pooler switched connections.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (passedOnCodes.includes(error.code ?? '') || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));

export interface PreparedStatements {
  /**
   * The name under which to prepare a statement, or undefined to send it unprepared. SQL without values may contain
   * several statements, which can't be prepared.
   */
  nameFor: (text: string, values: unknown[]) => string | undefined;
  /** Sends the statement unprepared from now on. */
  stop: (text: string) => void;
}

/** The prepared statements of one pool. */
export function preparedStatements(): PreparedStatements {
  /** Names by statement text; null for statements that must not be prepared again. */
  const names = new Map<string, string | null>();
  /** How often other statements were sent; the most recent one is last. */
  const uses = new Map<string, number>();

  const nameOf = (text: string): string | null => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= mostPrepared || text.includes(plannedMark)) return null;
    const count = (uses.get(text) ?? 0) + 1;
    uses.delete(text);
    if (count < preparedFromUse) {
      const [oldest] = uses.keys();
      if (uses.size >= mostCounted && oldest !== undefined) uses.delete(oldest);
      uses.set(text, count);
      return null;
    }
    // The same name in every process, because processes may share connections behind a pooler.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
    return name;
  };

  return {
    nameFor: (text, values) => (values.length === 0 ? undefined : (nameOf(text) ?? undefined)),
    stop: (text) => void names.set(text, null),
  };
}
