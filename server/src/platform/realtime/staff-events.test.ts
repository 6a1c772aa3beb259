import { describe, expect, it, vi } from 'vitest';
import type { RealtimeEvent } from '#contract/realtime.ts';
import type { Db } from '../db/db.ts';
import { createLog } from '../process/log.ts';
import { createStaffEvents, type StaffReader } from './staff-events.ts';

const hint: RealtimeEvent = { kind: 'reports' };
const eventOf = (reports: string[], cases: string[]): RealtimeEvent => ({
  kind: 'reports',
  changed: { reports, cases },
});

function eventsWith(read: StaffReader) {
  const sent: [string, RealtimeEvent][] = [];
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
  it('are read once for all reports that changed together, and sent to each colleague as far as they may see them', async () => {
    const read = vi.fn<StaffReader>(
      async (_db, _accountIds, { reports, cases }) => new Map([['mo', eventOf([...reports], [...cases])]]),
    );
    const { events, sent } = eventsWith(read);
    events.add({ reportId: 'r1', caseId: 'c1' });
    events.add({ reportId: 'r2', caseId: null });
    await vi.waitFor(() => expect(sent).toEqual([['mo', eventOf(['r1', 'r2'], ['c1'])]]));
    events.add({ reportId: null, caseId: 'c2' });
    events.add({ reportId: null, caseId: 'c3' });
    await vi.waitFor(() => expect(sent.slice(1)).toEqual([['mo', eventOf([], ['c2', 'c3'])]]));
    expect(read.mock.calls.map(([, accountIds]) => accountIds)).toEqual([
      ['mo', 'iris'],
      ['mo', 'iris'],
    ]);
  });

  it('are sent as hints if they cannot be read or too many reports changed at the same time', async () => {
    const read = vi.fn<StaffReader>(() => Promise.reject(new Error('too late')));
    const { events, sent } = eventsWith(read);
    events.add({ reportId: 'r1', caseId: null });
    await vi.waitFor(() =>
      expect(sent.splice(0)).toEqual([
        ['mo', hint],
        ['iris', hint],
      ]),
    );
    for (let count = 0; count <= 200; count += 1) events.add({ reportId: `r${count}`, caseId: null });
    await vi.waitFor(() =>
      expect(sent).toEqual([
        ['mo', hint],
        ['iris', hint],
      ]),
    );
    expect(read).toHaveBeenCalledTimes(1);
  });
});
