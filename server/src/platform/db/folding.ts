import { sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * Texts in the form the database compares: without case, accents and strokes, and with each letter in one form; see the
 * SQL function `folded`.
 */
export async function foldedAll(db: Db, texts: string[]): Promise<string[]> {
  const { rows } = await sql<{ texts: string[] }>`
    select array(select folded(t) from unnest(${texts}::text[]) with ordinality as given (t, at) order by at) as texts`.execute(
    db,
  );
  return rows[0]?.texts ?? [];
}

/** One text in the form the database compares. */
export async function folded(db: Db, text: string): Promise<string> {
  return (await foldedAll(db, [text]))[0] ?? '';
}
