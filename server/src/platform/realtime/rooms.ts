import type { Server, Socket } from 'socket.io';
import type { FastifyBaseLogger } from 'fastify';
import type { EmittedEvent } from '#contract/realtime.ts';
import type { AccountEvents, StaffEvents } from './live-events.ts';
import type { PgNotification } from './pg-notifications.ts';
import type { Admitted } from './sockets.ts';

/** The room of an account's devices. */
export const room = (accountId: string) => `account:${accountId}`;
/** The room that handlers put sockets in under a name. */
export const enteredRoom = (name: string) => `entered:${name}`;
const staffRoom = 'staff';
const sessionRoom = (sessionId: string) => `session:${sessionId}`;

/** The rooms that a socket is in while it is open. */
export const roomsOf = ({ accountId, sessionId, isStaff }: Admitted) => [
  room(accountId),
  sessionRoom(sessionId),
  ...(isStaff ? [staffRoom] : []),
];

/** Whether an account has a device in this process. */
export const hasDevice = (server: Server, accountId: string): boolean =>
  server.of('/').adapter.rooms.has(room(accountId));

/** The accounts of staff that have a device in this process. */
export function staffHere(server: Server): string[] {
  const ids = server.of('/').adapter.rooms.get(staffRoom) ?? [];
  const accounts = [...ids].map((id) => server.sockets.sockets.get(id)?.data as Admitted | undefined);
  return [...new Set(accounts.flatMap((admitted) => admitted?.accountId ?? []))];
}

/** Passes a database notification, which every process receives, on to this process's sockets. */
export function passOn(
  server: Server,
  notification: Exclude<PgNotification, { what: 'service' }>,
  { accounts, staff }: { accounts: AccountEvents; staff: StaffEvents },
): void {
  const emit = (rooms: string | string[], event: EmittedEvent) => server.local.to(rooms).emit('event', event);
  switch (notification.what) {
    case 'session-ended':
      server.local.in(sessionRoom(notification.id)).disconnectSockets(true);
      return;
    case 'statistics':
      emit(staffRoom, { kind: 'statistics' });
      return;
    case 'reports': {
      const { reportId = null, caseId = null } = notification;
      if (reportId === null && caseId === null) emit(staffRoom, { kind: 'reports' });
      else staff.add({ reportId, caseId });
      return;
    }
    case 'news': {
      const ids = new Set([notification.notificationId]);
      const [added, read] = notification.isRead ? [new Set<string>(), ids] : [ids, new Set<string>()];
      accounts.add(notification.id, { kind: 'news', added, read });
      return;
    }
    case 'assigned':
      emit(room(notification.id), { kind: 'assigned', caseId: notification.caseId, by: notification.by });
      return;
    case 'match':
      for (const id of [notification.low, notification.high])
        accounts.add(id, { kind: 'match', matchId: notification.id });
      return;
    case 'match-ended':
      for (const id of [notification.low, notification.high]) {
        accounts.add(id, { kind: 'matchEnded', matchId: notification.id });
        // The notification about the match was deleted with it.
        accounts.add(id, { kind: 'news', added: new Set(), read: new Set() });
      }
  }
}

/**
 * Puts the socket that sent an event in a room and removes it from the previous one; null for no room. It is removed
 * once `mayStay` returns false, which is checked again whenever a report or case has changed.
 */
export type Enter = (room: string | null, mayStay: () => Promise<boolean>) => Promise<void>;

/** The sockets of this process in rooms that they may have to leave. */
export interface Guests {
  /** The `Enter` function for the handlers of a socket. */
  entryOf(socket: Socket): Enter;
  /** Removes sockets that may not stay. */
  check(): Promise<void>;
  /** Like `check`, but without waiting. */
  checkSoon(): void;
}

/** Creates an empty set of guests: no socket is in a room yet. */
export function createGuests(log: FastifyBaseLogger): Guests {
  /** For each socket in a room, the function that removes it if it may not stay. */
  const leaving = new Map<Socket, () => Promise<void>>();
  let checking = Promise.resolve();
  let next: Promise<void> | null = null;
  const checkAll = async () => {
    next = null;
    await Promise.all([...leaving.values()].map((leave) => leave()));
  };
  /** Runs one check at a time; calls in the meantime share the next one. */
  const check = () => (next ??= checking = checking.catch(() => undefined).then(checkAll));
  const guests: Guests = {
    entryOf(socket) {
      let entered: string | null = null;
      const enter: Enter = async (name, mayStay) => {
        if (name === entered) return;
        if (entered !== null) await socket.leave(enteredRoom(entered));
        entered = name;
        leaving.delete(socket);
        if (name === null || !socket.connected) return;
        await socket.join(enteredRoom(name));
        leaving.set(socket, async () => {
          // Removed if the check fails, because the room shows who works on what.
          const stays = await mayStay().catch(() => false);
          if (!stays && entered === name) await enter(null, mayStay);
        });
      };
      socket.on('disconnect', () => leaving.delete(socket));
      return enter;
    },
    check,
    checkSoon() {
      if (leaving.size > 0) check().catch((error: unknown) => log.warn({ err: error }, 'rooms could not be checked'));
    },
  };
  return guests;
}
