import { type CsvCell, csvLines, csvMark } from '#contract/csv.ts';
import { saveFile } from './save-file.ts';

/** Saves rows as a CSV file; the first row has the names of the columns. */
export function saveCsv(rows: readonly (readonly CsvCell[])[], name: string): void {
  saveFile(new Blob([csvMark + csvLines(rows)], { type: 'text/csv' }), name);
}
