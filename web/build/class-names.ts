import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A class of a CSS module: its own name and a mark of its file, in few bytes, since every class is named in two files. */
export function className(name: string, file: string): string {
  const mark = createHash('sha256').update(relative(root, file)).digest('base64url').slice(0, 4);
  return `${name}_${mark}`;
}
