import { saveFile } from './save-file.ts';

export type CsvCell = string | number | null;

/** Characters that spreadsheets read as the start of a formula. */
const formulaStart = /^\p{Zs}*[=+@\t\r\n＝＋－＠-]/u;

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const safe = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Lines as in RFC 4180, with decimal points and ISO dates, which spreadsheets understand everywhere. Text never starts a
 * formula.
 */
export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

/** Saves rows as a CSV file; the first row has the names of the columns. */
export function saveCsv(rows: readonly (readonly CsvCell[])[], name: string): void {
  saveFile(new Blob([csvOf(rows)], { type: 'text/csv' }), name);
}
