import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { EmittedEvent } from '#contract/realtime.ts';
import type { Db } from '../db/db.ts';

/** The ids of an account's changed notifications. */
export interface ChangedNews {
  added: ReadonlySet<string>;
  read: ReadonlySet<string>;
}

/**
 * How features read events for the devices of an account, in one statement and as the account may see them at that
 * time. Null if the account may see nothing.
 */
export interface EventReaders {
  match: (db: Db, accountId: string, matchId: string) => Promise<EmittedEvent | null>;
  matchEnded: (db: Db, accountId: string, matchId: string) => Promise<EmittedEvent | null>;
  news: (db: Db, accountId: string, changed: ChangedNews) => Promise<EmittedEvent | null>;
}

/** A change that an account's devices are notified of. */
type Subject =
  { kind: 'match' | 'matchEnded'; matchId: string } | { kind: 'news'; added: Set<string>; read: Set<string> };

/** If more notifications change at once, clients fetch them. */
const mostNews = 100;
/** An event that has waited this long is sent as a hint, because when reading is slow, delays would add up. */
const lateAfterMs = 3000;

interface Waiting {
  subject: Subject;
  since: number;
}

const hintOf = (subject: Subject): EmittedEvent => (subject.kind === 'news' ? { kind: subject.kind } : subject);

interface AccountParts {
  readers: Partial<EventReaders>;
  db: Db;
  /** Whether a device of this account is connected to this process. */
  hasDevice: (accountId: string) => boolean;
  emit: (accountId: string, event: EmittedEvent) => void;
  log: FastifyBaseLogger;
}

/** Sends events to accounts. */
export interface AccountEvents {
  add(accountId: string, subject: Subject): void;
}

/**
 * Reads events for each account with a device here, one after the other, so that none is older than the one before.
 * Notifications that change while another event is read are sent together.
 */
export function createAccountEvents({ readers, db, hasDevice, emit, log }: AccountParts): AccountEvents {
  /** Accounts whose events are being read, with their next events. */
  const waiting = new Map<string, Waiting[]>();

  function read(accountId: string, subject: Subject): Promise<EmittedEvent | null> | undefined {
    if (subject.kind !== 'news') return readers[subject.kind]?.(db, accountId, subject.matchId);
    if (subject.added.size + subject.read.size > mostNews) return undefined;
    return readers.news?.(db, accountId, subject);
  }

  async function eventOf(accountId: string, subject: Subject): Promise<EmittedEvent | null> {
    try {
      return await (read(accountId, subject) ?? hintOf(subject));
    } catch (error) {
      log.warn({ err: error, event: subject.kind }, 'the data of an event could not be read');
      return hintOf(subject);
    }
  }

  async function sendAll(accountId: string, subjects: Waiting[]): Promise<void> {
    for (let next = subjects.shift(); next !== undefined; next = subjects.shift()) {
      const { subject, since } = next;
      try {
        const isLate = performance.now() - since > lateAfterMs;
        const event = isLate ? hintOf(subject) : await eventOf(accountId, subject);
        if (event !== null) emit(accountId, event);
      } catch (error) {
        log.warn({ err: error, event: subject.kind }, 'an event could not be sent');
      }
    }
    waiting.delete(accountId);
  }

  return {
    add(accountId, subject) {
      if (!hasDevice(accountId)) return;
      const subjects = waiting.get(accountId);
      const last = subjects?.at(-1)?.subject;
      const added = { subject, since: performance.now() };
      if (last?.kind === 'news' && subject.kind === 'news') {
        for (const id of subject.added) last.added.add(id);
        for (const id of subject.read) last.read.add(id);
      } else if (subjects !== undefined) {
        subjects.push(added);
      } else {
        const first = [added];
        waiting.set(accountId, first);
        // The other notifications of the same transaction arrive in the same turn of the event loop.
        queueMicrotask(() => void sendAll(accountId, first));
      }
    },
  };
}

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
) => Promise<ReadonlyMap<string, EmittedEvent>>;

/** If more ids change at once, clients fetch their lists. */
const mostIds = 200;
/** Changes within this time are read together. */
const minIntervalMs = 500;

interface StaffParts {
  read: () => StaffReader | undefined;
  db: Db;
  /** The staff accounts with a device in this process. */
  staffHere: () => string[];
  emit: (accountId: string, event: EmittedEvent) => void;
  log: FastifyBaseLogger;
}

/** Sends staff events about changes, each without what the receiver may not see or is involved in. */
export interface StaffEvents {
  add(ids: { reportId: string | null; caseId: string | null }): void;
}

/** Creates the events of changed reports and cases, read for all staff of this process at once. */
export function createStaffEvents({ read, db, staffHere, emit, log }: StaffParts): StaffEvents {
  let waiting: ChangedReports = { reports: new Set(), cases: new Set() };
  let isBusy = false;

  async function send(changed: ChangedReports): Promise<void> {
    const staff = staffHere();
    if (staff.length === 0) return;
    const reader = changed.reports.size + changed.cases.size > mostIds ? undefined : read();
    const events = await reader?.(db, staff, changed).catch((error: unknown) => {
      log.warn({ err: error, event: 'reports' }, 'the data of an event could not be read');
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
