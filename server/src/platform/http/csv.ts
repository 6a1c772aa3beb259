import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

/** What was sent as a file: the number of rows, and the SHA-256 of the whole file. */
export interface SentFile {
  rows: number;
  sha256: string;
}

/** Without a byte order mark, spreadsheets read the text as Latin-1. */
export const csvMark = '\uFEFF';

/** Characters that spreadsheets read as the start of a formula, including the full-width ones of East Asian keyboards. */
const formulaStart = /^\p{Zs}*[=+@\t\r\n＝＋－＠-]/u;
// Spreadsheets of many countries separate cells by semicolons, and read pasted text by tabs, so the text after one of them in a value is
// the start of a cell there.
const formulaWithin = /((?:\r\n|[;\t\r\n])["\p{Zs}]*)(?=[=+@\t\r\n＝＋－＠-])/gu;

/** The text with an apostrophe before each sign that could start a formula, whatever the separator. */
function withoutFormulas(text: string): string {
  const within = text.replaceAll(formulaWithin, "$1'");
  return formulaStart.test(within) ? `'${within}` : within;
}

/** Lines as in RFC 4180. csv-stringify's own option against formulas misses the line feed and other separators. */
export const csvLines = (rows: (string | null)[][]) =>
  stringify(rows, { record_delimiter: '\r\n', quoted_string: true, cast: { string: withoutFormulas } });

/** Streams a file batch by batch. `onEnd` runs before the file ends; if it fails, the file breaks off. */
export function csvFile(
  titles: readonly string[],
  batches: AsyncIterable<(string | null)[][]>,
  onEnd: (sent: SentFile) => Promise<void>,
): Readable {
  async function* parts() {
    const hash = createHash('sha256');
    const hashed = (text: string) => {
      hash.update(text);
      return text;
    };
    let rows = 0;
    yield hashed(csvMark + csvLines([[...titles]]));
    for await (const batch of batches) {
      rows += batch.length;
      yield hashed(csvLines(batch));
    }
    await onEnd({ rows, sha256: hash.digest('hex') });
  }
  return Readable.from(parts(), { objectMode: true, highWaterMark: 1 });
}
