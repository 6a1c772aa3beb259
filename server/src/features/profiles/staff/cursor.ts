import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isUuid } from '../../../platform/session/caller.ts';
import { invalid } from '../../../platform/http/app-error.ts';
import type { Position } from '../place/positions.queries.ts';

const moment = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const cursorSchema = z.tuple([z.string(), z.string(), z.string()]);

/** A short digest of a list's sort and filters, so that a cursor works only for its own list. */
export function listMark(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
}

/** The cursor that continues a list after `position`. */
export function writeCursor(mark: string, { key, id }: Position): string {
  return Buffer.from(JSON.stringify([mark, key, id])).toString('base64url');
}

/** The position in a cursor; 400 for a cursor of another list or an invalid one. `byTime`: the list is sorted by time. */
export function readCursor(cursor: string, mark: string, byTime: boolean): Position {
  const [givenMark, key, id] = parsed(cursor);
  const isKey = byTime ? isMoment(key) : !key.includes('\0') && key.isWellFormed();
  if (givenMark !== mark || !isKey || !isUuid(id)) throw foreign();
  return { key, id };
}

const foreign = () => invalid('cursor', 'This cursor belongs to another list');

function parsed(cursor: string): [string, string, string] {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw foreign();
  }
}

function isMoment(key: string): boolean {
  if (key === '-infinity') return true;
  if (!moment.test(key)) return false;
  const toMilliseconds = key.replace(/\d{3}Z$/, 'Z');
  const time = new Date(toMilliseconds);
  return !Number.isNaN(time.getTime()) && time.toISOString() === toMilliseconds;
}
