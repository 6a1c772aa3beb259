import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EmittedEvent } from '#contract/realtime.ts';
import type { Db } from '../db/db.ts';
import { createLog } from '../process/log.ts';
import { createAccountEvents, type EventReaders, createStaffEvents, type StaffReader } from './live-events.ts';

const news = (added: string[], read: string[] = []) => ({
  kind: 'news' as const,
  added: new Set(added),
  read: new Set(read),
});
const changes = (unread: number) => ({ added: [], read: [], unread });

function accountEventsWith(readers: Partial<EventReaders>) {
  const sent: [string, EmittedEvent][] = [];
  const lines: string[] = [];
  const events = createAccountEvents({
    readers,
    // The readers in this test don't query a database.
    db: null as unknown as Db,
    hasDevice: (accountId) => accountId !== 'away',
    emit: (accountId, event) => sent.push([accountId, event]),
    log: createLog('warn', { write: (line) => lines.push(line) }),
  });
  return { events, sent, lines };
}

describe('account events', () => {
  it('are read only for accounts with a device connected to this process', async () => {
    const read = vi.fn<EventReaders['match']>(async (_db, _accountId, matchId) => ({ kind: 'match', matchId }));
    const { events, sent } = accountEventsWith({ match: read });
    events.add('away', { kind: 'match', matchId: 'm1' });
    events.add('ada', { kind: 'match', matchId: 'm1' });
    await expect.poll(() => sent).toEqual([['ada', { kind: 'match', matchId: 'm1' }]]);
    expect(read.mock.calls.map(([, accountId]) => accountId)).toEqual(['ada']);
  });

  it('are sent in order, however long each takes to read, and omit what the account may not see', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const { events, sent } = accountEventsWith({
      match: async (_db, _accountId, matchId) => {
        if (matchId === 'm1') await promise;
        return matchId === 'm2' ? null : { kind: 'match', matchId };
      },
      matchEnded: async (_db, _accountId, matchId) => ({ kind: 'matchEnded', matchId }),
    });
    for (const matchId of ['m1', 'm2', 'm3']) events.add('ada', { kind: 'match', matchId });
    events.add('ada', { kind: 'matchEnded', matchId: 'm1' });
    events.add('bo', { kind: 'match', matchId: 'm3' });
    await expect.poll(() => sent).toEqual([['bo', { kind: 'match', matchId: 'm3' }]]);
    resolve(null);
    await expect.poll(() => sent).toHaveLength(4);
    expect(sent.slice(1).map(([, event]) => event)).toEqual([
      { kind: 'match', matchId: 'm1' },
      { kind: 'match', matchId: 'm3' },
      { kind: 'matchEnded', matchId: 'm1' },
    ]);
  });

  it('are combined when notifications change together', async () => {
    const read = vi.fn<EventReaders['news']>(async () => ({ kind: 'news', changes: changes(2) }));
    const { events, sent } = accountEventsWith({ news: read });
    events.add('ada', news(['n1']));
    events.add('ada', news(['n2']));
    events.add('ada', news([], ['n1']));
    await expect.poll(() => sent).toEqual([['ada', { kind: 'news', changes: changes(2) }]]);
    expect(read.mock.calls.map(([, , { added, read: readIds }]) => [[...added], [...readIds]])).toEqual([
      [['n1', 'n2'], ['n1']],
    ]);
    events.add('ada', news(['n3']));
    await expect.poll(() => sent).toHaveLength(2);
  });

  it('are sent as hints if they cannot be read or concern more than a hundred notifications', async () => {
    const { events, sent, lines } = accountEventsWith({
      match: () => Promise.reject(new Error('too late')),
      news: async () => ({ kind: 'news', changes: changes(0) }),
    });
    events.add('ada', { kind: 'match', matchId: 'm1' });
    events.add('ada', news(Array.from({ length: 101 }, (_, index) => `n${index}`)));
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent.map(([, event]) => event)).toEqual([{ kind: 'match', matchId: 'm1' }, { kind: 'news' }]);
    expect(lines).toHaveLength(1);
  });

  it('are sent as hints after waiting three seconds, so that delays never add up', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const read = vi.fn<EventReaders['match']>(() => promise);
    const { events, sent } = accountEventsWith({ match: read });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    for (const matchId of ['m1', 'm2', 'm3']) events.add('ada', { kind: 'match', matchId });
    await expect.poll(() => read.mock.calls.length).toBe(1);
    clock.mockReturnValue(3001);
    resolve(null);
    const hints = ['m2', 'm3'].map((matchId) => ['ada', { kind: 'match', matchId }]);
    await expect.poll(() => sent).toEqual(hints);
    expect(read).toHaveBeenCalledOnce();
  });
});

const hint: EmittedEvent = { kind: 'reports' };
const eventOf = (reports: string[], cases: string[]): EmittedEvent => ({
  kind: 'reports',
  changed: { reports, cases },
});

function staffEventsWith(read: StaffReader) {
  const sent: [string, EmittedEvent][] = [];
  const events = createStaffEvents({
    read: () => read,
    // The readers in this test don't query a database.
    db: null as unknown as Db,
    staffHere: () => ['mo', 'iris'],
    emit: (accountId, event) => sent.push([accountId, event]),
    log: createLog('silent'),
  });
  return { events, sent };
}

describe('events about changed reports', () => {
  it('are read once for all reports that changed together, and each colleague is sent only what they may see', async () => {
    const read = vi.fn<StaffReader>(
      async (_db, _accountIds, { reports, cases }) => new Map([['mo', eventOf([...reports], [...cases])]]),
    );
    const { events, sent } = staffEventsWith(read);
    events.add({ reportId: 'r1', caseId: 'c1' });
    events.add({ reportId: 'r2', caseId: null });
    await expect.poll(() => sent).toEqual([['mo', eventOf(['r1', 'r2'], ['c1'])]]);
    events.add({ reportId: null, caseId: 'c2' });
    events.add({ reportId: null, caseId: 'c3' });
    await expect.poll(() => sent.slice(1)).toEqual([['mo', eventOf([], ['c2', 'c3'])]]);
    expect(read.mock.calls.map(([, accountIds]) => accountIds)).toEqual([
      ['mo', 'iris'],
      ['mo', 'iris'],
    ]);
  });

  it('are sent as hints if they cannot be read or too many reports changed at the same time', async () => {
    const read = vi.fn<StaffReader>(() => Promise.reject(new Error('too late')));
    const { events, sent } = staffEventsWith(read);
    events.add({ reportId: 'r1', caseId: null });
    const hints = [
      ['mo', hint],
      ['iris', hint],
    ];
    await expect.poll(() => sent).toEqual(hints);
    sent.length = 0;
    for (let count = 0; count <= 200; count += 1) events.add({ reportId: `r${count}`, caseId: null });
    await expect.poll(() => sent).toEqual(hints);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
