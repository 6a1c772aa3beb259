import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { RealtimeEvent } from '#contract/realtime.ts';
import type { Db } from '../db/db.ts';

/** Reports and cases that have changed, by id. */
export interface ChangedReports {
  reports: Set<string>;
  cases: Set<string>;
}

/** Reads, in one statement, what each of these accounts may know of what has changed. */
export type StaffReader = (
  db: Db,
  accountIds: string[],
  changed: ChangedReports,
) => Promise<ReadonlyMap<string, RealtimeEvent>>;

/** Beyond so many at once, clients fetch their lists. */
const mostIds = 200;
/** Changes within this time are read together. */
const minIntervalMs = 500;

interface Parts {
  read: () => StaffReader | undefined;
  db: Db;
  /** The accounts of staff that have a device in this process. */
  staffHere: () => string[];
  emit: (accountId: string, event: RealtimeEvent) => void;
  log: FastifyBaseLogger;
}

/** Sends staff what has changed, each without what they have no part in or are a party of. */
export interface StaffEvents {
  add(ids: { reportId: string | null; caseId: string | null }): void;
}

/** Events of changed reports and cases, read for all staff of this process at once. */
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
      // The other notifications of its transaction arrive in the same turn.
      queueMicrotask(() => void sendWaiting());
    },
  };
}
