import { createHash } from 'node:crypto';
import pg from 'pg';

/** A statement that contains this is planned for its values each time; see `plannedForValues`. */
export const plannedMark = '/* planned for its values */';

/** From this use on, a statement is prepared: planned once per connection. Most that are sent less often were built for one occasion. */
const preparedFromUse = 5;
/** What a pool prepares at most, because each connection keeps the plans. Those used most are there first. */
const mostPrepared = 300;
const mostCounted = 1000;

/** The connection has no statement of this name, or already has one: a pooler passed it on. */
const passedOnCodes = ['26000', '42P05'];

/** Whether a statement failed before it ran, because of how it was prepared: a migration changed the columns of its result, or a pooler passed its connection on. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (passedOnCodes.includes(error.code ?? '') || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));

export interface PreparedStatements {
  /** The name under which to prepare a statement, or undefined: without values, the text may hold several statements. */
  nameFor: (text: string, values: unknown[]) => string | undefined;
  /** From now on, the statement is sent unprepared. */
  stop: (text: string) => void;
}

/** The prepared statements of one pool. */
export function preparedStatements(): PreparedStatements {
  /** Their names by their text; null for one that is not to be prepared again. */
  const names = new Map<string, string | null>();
  /** How often other statements were sent, the one sent last at the end. */
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
    // The same in every process: behind a pooler, they may share connections.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
    return name;
  };

  return {
    nameFor: (text, values) => (values.length === 0 ? undefined : (nameOf(text) ?? undefined)),
    stop: (text) => void names.set(text, null),
  };
}
