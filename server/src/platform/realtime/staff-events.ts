import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { RealtimeEvent } from '#contract/realtime.ts';
import type { Db } from '../db/db.ts';

/** The ids of changed reports and cases. */
export interface ChangedReports {
  reports: Set<string>;
  cases: Set<string>;
}

/** Reads, in one statement, which changes each of these accounts may know about. */
export type StaffReader = (
  db: Db,
  accountIds: string[],
  changed: ChangedReports,
) => Promise<ReadonlyMap<string, RealtimeEvent>>;

/** If more ids change at once, clients fetch their lists. */
const mostIds = 200;
/** Changes within this time are read together. */
const minIntervalMs = 500;

interface Parts {
  read: () => StaffReader | undefined;
  db: Db;
  /** The staff accounts with a device in this process. */
  staffHere: () => string[];
  emit: (accountId: string, event: RealtimeEvent) => void;
  log: FastifyBaseLogger;
}

/** Sends staff events about changes, each without what the receiver may not see or is involved in. */
export interface StaffEvents {
  add(ids: { reportId: string | null; caseId: string | null }): void;
}

/** Creates the events of changed reports and cases, read for all staff of this process at once. */
export function createStaffEvents({ read, db, staffHere, emit, log }: Parts): StaffEvents {
  let waiting: ChangedReports = { reports: new Set(), cases: new Set() };
  let isBusy = false;

  async function send(changed: ChangedReports): Promise<void> {
    const staff = staffHere();
    if (staff.length === 0) return;
    const reader = changed.reports.size + changed.cases.size > mostIds ? undefined : read();
    const events = await reader?.(db, staff, changed).catch((error: unknown) => {
      log.warn({ err: error, event: 'reports' }, 'what an event carries could not be read');
      return undefined;
    });
    for (const id of staff) {
      const event = events === undefined ? ({ kind: 'reports' } as const) : events.get(id);
      if (event !== undefined) emit(id, event);
    }
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.reports.size + waiting.cases.size > 0) {
      const changed = waiting;
      waiting = { reports: new Set(), cases: new Set() };
      await send(changed).catch((error: unknown) =>
        log.warn({ err: error, event: 'reports' }, 'an event could not be sent'),
      );
      await pause(minIntervalMs, undefined, { ref: false });
    }
    isBusy = false;
  }

  return {
    add({ reportId, caseId }) {
      if (reportId !== null) waiting.reports.add(reportId);
      if (caseId !== null) waiting.cases.add(caseId);
      if (isBusy) return;
      isBusy = true;
      // The other notifications of the same transaction arrive in the same turn of the event loop.
      queueMicrotask(() => void sendWaiting());
    },
  };
}
