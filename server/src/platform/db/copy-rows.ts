import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

type Cell = string | number | boolean | Date | Buffer | readonly string[] | null;

/** One row by column name. */
type Row = Record<string, Cell>;

/**
 * Writes `rows`, which all have the same columns, into `table` with COPY: one statement, so statement triggers run
 * once.
 */
export async function copyRows(client: pg.ClientBase, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const lines = rows.map((row) => `${columns.map((column) => copyText(row[column] ?? null)).join('\t')}\n`).join('');
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from([Buffer.from(lines)]), stream);
}

/** A cell in COPY's text format. Words in lists must not contain quotes, commas or braces. */
function copyText(cell: Cell): string {
  if (cell === null) return '\\N';
  if (cell instanceof Date) return cell.toISOString();
  if (Buffer.isBuffer(cell)) return `\\\\x${cell.toString('hex')}`;
  if (typeof cell === 'object') return `{${cell.join(',')}}`;
  if (typeof cell !== 'string') return String(cell);
  return cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
