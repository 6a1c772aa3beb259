/** Numbers, and null for unknown values, are not text, so that spreadsheets can compute with a column. */
export type CsvCell = string | number | null;

/** Without a byte order mark, spreadsheets read the text as Latin-1. */
export const csvMark = '\uFEFF';

/** Characters that spreadsheets read as the start of a formula, including the full-width ones of East Asian keyboards. */
const formulaStart = /^\p{Zs}*[=+@\t\r\n＝＋－＠-]/u;
// In many countries, spreadsheets separate cells by semicolons, and pasted text by tabs. The text after one of these inside a value is the
// start of a cell there.
const formulaWithin = /((?:\r\n|[;\t\r\n])["\p{Zs}]*)(?=[=+@\t\r\n＝＋－＠-])/gu;

/** The text with an apostrophe before each sign that could start a formula, whatever the separator. */
function withoutFormulas(text: string): string {
  const within = text.replaceAll(formulaWithin, "$1'");
  return formulaStart.test(within) ? `'${within}` : within;
}

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  return `"${withoutFormulas(cell).replaceAll('"', '""')}"`;
}

/**
 * Lines as in RFC 4180, with decimal points, and with days and months as in ISO 8601, which all spreadsheets understand. A file begins with
 * the byte order mark and the names of its columns.
 */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
