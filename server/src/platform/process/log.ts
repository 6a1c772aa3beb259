import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { traceId } from './tracing.ts';
import type { Language } from '#contract/languages.ts';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** The version of this release. */
export const { version } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../package.json'), 'utf8'),
) as { version: string };

type Cause = Error & { code?: string; errors?: unknown[] };

// Requests are logged by route, never by URL, because URLs contain search terms and link tokens.
const serializers = {
  req: (request: { id: string; method: string; routeOptions?: { url?: string } }) => ({
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url ?? 'unknown',
  }),
  res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
  err: (error: Cause) => ({ ...described(error), at: framesOf(error), causes: causesOf(error) }),
};

const described = ({ name, code, message }: Cause) => ({
  type: name,
  code,
  // A parser's message quotes the text it could not read, which may be cut anywhere.
  message: name === 'SyntaxError' ? undefined : withoutValues(String(message)),
});

/**
 * The causes of an error, which explain more than the error itself: a failed request mentions only the last of them.
 */
function causesOf({ cause, errors }: Cause): ReturnType<typeof described>[] | undefined {
  const found: ReturnType<typeof described>[] = [];
  let next: unknown = cause ?? errors?.[0];
  while (next instanceof Error && found.length < mostCauses) {
    found.push(described(next));
    next = next.cause ?? (next as Cause).errors?.[0];
  }
  return found.length === 0 ? undefined : found;
}

const mostCauses = 3;
const longestMessage = 200;
const longestRead = 1000;
/** Names quoted by the database that are not values. */
const objectNames = /\b(relation|table|column|constraint|index) "([a-z_]{1,63})"/g;

/**
 * The first line of an error's message without anything that may come from a member: quoted text except the names of
 * database objects, addresses, long numbers and tokens.
 */
export function withoutValues(message: string): string {
  const line = (message.split('\n')[0] ?? '').slice(0, longestRead).replaceAll(objectNames, '$1 $2');
  const unquoted = Object.keys(quotes).reduce(withoutQuotes, line);
  return unquoted.split(' ').map(withoutValue).join(' ').slice(0, longestMessage);
}

/** The closing mark for each opening quotation mark, because the database's messages may be in another language. */
const quotes: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '„': '“',
  '“': '”',
  '«': '»',
  '»': '«',
  '‘': '’',
};

/**
 * Removes everything from the first to the last mark, because a quoted text may contain marks itself. An apostrophe
 * within a word is not a mark.
 */
function withoutQuotes(text: string, mark: string): string {
  let from = text.indexOf(mark);
  while (from > 0 && /[\p{L}\d]/u.test(text.charAt(from - 1))) from = text.indexOf(mark, from + 1);
  if (from === -1) return text;
  const to = text.lastIndexOf(quotes[mark] ?? mark);
  return `${text.slice(0, from)}…${to > from ? text.slice(to + 1) : ''}`;
}

function withoutValue(word: string): string {
  if (word.includes('@')) return '…';
  if (URL.canParse(word) && /^https?:/.test(word)) return `${new URL(word).origin}/…`;
  return /^[a-z_]+$/.test(word) ? word : word.replaceAll(/\d[\d.]{4,}/g, '…').replaceAll(/[\w-]{32,}/g, '…');
}

/** Deep enough to include our function that made the query, below the database driver's. */
Error.stackTraceLimit = 40;

/** Where an error happened, in our own functions if possible. */
function framesOf(error: Error): string[] {
  const frames = (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  const ours = frames.filter((frame) => !/node_modules|node:/.test(frame));
  return (ours.length > 0 ? ours : frames).slice(0, 8);
}

/**
 * Writes structured JSON lines to standard output (or `destination`) without secrets, addresses or members' texts. Each
 * has its time, process, host and version, and the id of the request or the task of the job it belongs to.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    serializers,
    base: { pid: process.pid, host: hostname(), version },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: (_line, _level, logger) => {
      const { requestId, task } = current.getStore() ?? {};
      // A request's own log already contains it.
      const isNamed = requestId === undefined || 'requestId' in (logger as Logger).bindings();
      const trace = traceId();
      return {
        ...(isNamed ? {} : { requestId }),
        ...(task === undefined ? {} : { task }),
        ...(trace === undefined ? {} : { traceId: trace }),
      };
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The request or job that the log describes. */
export interface Acting {
  /** The request's id, or the job's task. */
  requestId?: string;
  task?: string;
  /** The caller's account; for a request without a session, the account that it turned out to concern. */
  accountId: string | null;
  signedIn: boolean;
  /** The language of the texts created here; English without one. */
  language?: Language;
}

const current = new AsyncLocalStorage<Acting>();

/** Runs `work`, such as a request or a job, so that `noteAccount` within it fills `acting`. */
export const actingAs = <T>(acting: Acting, work: () => T): T => current.run(acting, work);

/** The language of the readers of texts that the running request or job creates. */
export const presentLanguage = (): Language => current.getStore()?.language ?? 'en';

/** Runs `work` with texts in another language than that of the request, such as the recipient's. */
export const inLanguage = <T>(language: Language, work: () => T): T =>
  current.run({ accountId: null, signedIn: false, ...current.getStore(), language }, work);

/**
 * Records the account that a running request concerns. A signed-in caller is never replaced, and outside requests this
 * does nothing.
 */
export function noteAccount(accountId: string, { signedIn = false } = {}): void {
  const acting = current.getStore();
  if (acting === undefined) return;
  acting.accountId ??= accountId;
  acting.signedIn ||= signedIn;
}
