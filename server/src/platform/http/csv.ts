import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type CsvCell, csvLines, csvMark } from '#contract/csv.ts';

/** What was sent as a file: the number of rows, and the SHA-256 of the whole file. */
export interface SentFile {
  rows: number;
  sha256: string;
}

/** Streams a file batch by batch. `onEnd` runs before the file ends; if it fails, the file breaks off. */
export function csvFile(
  titles: readonly string[],
  batches: AsyncIterable<CsvCell[][]>,
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
