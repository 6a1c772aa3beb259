import { PassThrough } from 'node:stream';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { actingAs, createLog, version, withoutValues } from './log.ts';

/** The parsed log lines that `write` produces. */
function linesOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const sink = new PassThrough();
  write(createLog('info', sink));
  const text = String(sink.read() ?? '');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a log line', () => {
  it('contains its time, process, host and version, and the request or job it belongs to', () => {
    const acting = { accountId: null, signedIn: false };
    const lines = linesOf((log) => {
      log.info('alone');
      actingAs({ ...acting, requestId: 'r1' }, () => log.info('in a request'));
      actingAs({ ...acting, requestId: 'r1' }, () => log.child({ requestId: 'r1' }).info('by the request'));
      actingAs({ ...acting, task: 'mail.send' }, () => log.info('in a job'));
    });
    for (const line of lines)
      expect(line).toMatchObject({
        pid: process.pid,
        host: hostname(),
        version,
        time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
    expect(lines.map(({ requestId, task }) => requestId ?? task)).toEqual([undefined, 'r1', 'r1', 'mail.send']);
  });

  it('contains the code and message of an error and its causes', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
    const behind = Object.assign(new AggregateError([refused], ''), { code: 'ECONNREFUSED' });
    const [line] = linesOf((log) => log.warn({ err: new Error('fetch failed', { cause: behind }) }, 'x'));
    expect(line?.['err']).toMatchObject({
      message: 'fetch failed',
      causes: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5432' }],
    });
  });
});

describe('the logged message of an error', () => {
  it.each([
    [
      'null value in column "bio" of relation "profile" violates',
      'null value in column bio of relation profile violates',
    ],
    ['violates check constraint "match_check"', 'violates check constraint match_check'],
    ['invalid input syntax for type integer: "Ada "the" Great" here', 'invalid input syntax for type integer: … here'],
    ["can't open 'Ada's letter.txt'", "can't open …"],
    ['Unexpected token “Ada”', 'Unexpected token …'],
    ['cut off "Ada', 'cut off …'],
    ['ungültige Eingabe: »Ada« und „Bo“ hier', 'ungültige Eingabe: … und … hier'],
    ['saisie invalide : « Ada » et ‘Bo’ ici', 'saisie invalide : … et … ici'],
    ['550 <ada@x.test>: unknown', '550 … unknown'],
    ['GET https://x.test/reset?token=1 failed', 'GET https://x.test/… failed'],
    ['code 123456 at 48.1234', 'code … at …'],
    ['token eyJhbGciOiJIUzI1NiJ9_eyJzdWIiOiIx-aa', 'token …'],
    ['first line\nAda', 'first line'],
  ])('%j is logged as %j', (message, logged) => {
    expect(withoutValues(message)).toBe(logged);
  });

  it('is left out if a parser quotes the text it could not read', () => {
    const [line] = linesOf((log) => {
      try {
        JSON.parse('{"name": Ada}');
      } catch (error) {
        log.warn({ err: error }, 'x');
      }
    });
    expect(JSON.stringify(line)).not.toContain('Ada');
  });
});
