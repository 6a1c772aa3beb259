import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

type Cell = string | number | boolean | Date | readonly string[] | null;

/** How the rows of one table are made from `T`. */
export interface TableRows<T> {
  table: string;
  columns: readonly string[];
  cells(item: T): readonly Cell[];
}

/** Writes one row for each of `items` into the table with COPY: one statement, so its triggers run once. */
export async function copyRows<T>(client: pg.ClientBase, rows: TableRows<T>, items: readonly T[]): Promise<void> {
  const lines = items.map((item) => `${rows.cells(item).map(copyText).join('\t')}\n`).join('');
  const stream = client.query(copyFrom(`copy ${rows.table} (${rows.columns.join(', ')}) from stdin`));
  await pipeline(Readable.from([Buffer.from(lines)]), stream);
}

/** A cell in COPY's text format; lists are of words without quotes, commas and braces. */
function copyText(cell: Cell): string {
  if (cell === null) return '\\N';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'object') return `{${cell.join(',')}}`;
  if (typeof cell !== 'string') return String(cell);
  return cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
