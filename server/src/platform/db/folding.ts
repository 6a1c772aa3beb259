import { sql } from 'kysely';
import type { Db } from './db.ts';

/** Text as the database compares it: without case, accents and strokes, in one form of each letter; see the function `folded`. */
export async function folded(db: Db, text: string): Promise<string> {
  const { rows } = await sql<{ text: string }>`select folded(${text}) as text`.execute(db);
  return rows[0]?.text ?? '';
}
