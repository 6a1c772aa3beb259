import type { Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server, Socket } from 'socket.io';
import type { EmittedEvent } from '#contract/realtime.ts';
import { createDb } from '../db/db.ts';
import { createPool } from '../db/pool.ts';
import { createAccountEvents, type EventReaders, createStaffEvents, type StaffReader } from './live-events.ts';
import { chooseAdapter } from './adapter.ts';
import { listenToDatabase, type PgNotification } from './pg-notifications.ts';
import {
  createGuests,
  type Enter,
  enteredRoom,
  type Guests,
  hasDevice,
  passOn,
  room,
  roomsOf,
  staffHere,
} from './rooms.ts';
import { publishedVersions } from '../service/published-texts.ts';
import type { Service } from '../service/settings.ts';
import { acceptSockets, type Admitted, closeInTurns, type RealtimeDeps } from './sockets.ts';

/**
 * Sockets are checked in this many groups, one per second, because checking thousands at once would delay other writes.
 */
const beats = 30;
const beatMs = 1000;
/** The first event of a kind is handled at once, and those that follow within this time are handled together. */
const minIntervalMs = 500;
/** How many different events of a kind may wait. */
const mostWaiting = 5;
/**
 * An event is sent as a hint if reading its data takes longer than this, including the wait for one of
 * `readingConnections`.
 */
const readWithinMs = 3000;
const readingConnections = 2;

/** Handlers of events that clients may send over their socket, by event name. */
export type ClientEvents = Record<string, (accountId: string, payload: unknown, enter: Enter) => Promise<void>>;

/**
 * The sockets of all processes. Events are hints: nothing waits for them, and before the server listens they are
 * dropped.
 */
export interface Realtime {
  /** Sends an event to every device of these accounts, in any process. Call it only after the commit. */
  emit(accountIds: readonly string[], event: EmittedEvent): void;
  /** Sends an event to every socket in a room that handlers put them in, in any process. */
  emitTo(room: string, event: EmittedEvent): void;
  /** Adds handlers of client events. */
  on(events: ClientEvents): void;
  /** Adds functions that read the account events for a database notification. */
  readFor(readers: Partial<EventReaders>): void;
  /** Sets the function that reads the events of changed reports and cases. */
  readForStaff(reader: StaffReader): void;
  open(server: HttpServer): Promise<void>;
  /** The number of open sockets in this process. */
  count(): number;
  /** The number of sockets that this process has accepted since it started. */
  opened(): number;
  /** Whether `REDIS_URL` is set and Redis can't be reached. */
  isRedisDown(): boolean;
  close(): Promise<void>;
}

/** The group in which a socket is checked. */
interface CheckGroup {
  group: number;
}

/** Opens sockets on the server once it listens. A socket closes when its access token expires or its session ends. */
export function createRealtime(deps: RealtimeDeps, service: Service): Realtime {
  const { config, pool, log } = deps;
  const clientEvents: ClientEvents = {};
  const readers: Partial<EventReaders> = {};
  let staffReader: StaffReader | undefined;
  let io: Server | null = null;
  let isRedisDown = () => false;
  let connected = 0;
  let closing: (() => Promise<void>)[] = [];

  async function open(http: HttpServer): Promise<void> {
    const joined = await chooseAdapter(config, pool, log);
    isRedisDown = joined.isRedisDown;
    const guests = createGuests(log);
    const server = acceptSockets(http, joined.adapter, deps, (socket) => {
      (socket.data as CheckGroup).group = connected++ % beats;
      welcome(socket, deps);
      handleEvents(socket, { clientEvents, guests, deps });
    });
    // Separate connections, so that a burst of events takes none from requests.
    const reading = createPool(pool.options.connectionString ?? '', {
      max: readingConnections,
      connectTimeoutMs: readWithinMs,
      giveUpMs: readWithinMs,
      preparedStatements: config.preparedStatements,
      onError: (error) => log.warn({ err: error }, 'a database connection for events broke'),
    });
    const parts = {
      db: createDb(reading),
      emit: (accountId: string, event: EmittedEvent) => server.local.to(room(accountId)).emit('event', event),
      log,
    };
    const events = {
      accounts: createAccountEvents({ ...parts, readers, hasDevice: (accountId) => hasDevice(server, accountId) }),
      staff: createStaffEvents({ ...parts, read: () => staffReader, staffHere: () => staffHere(server) }),
    };
    const shown = () => `${service.now().version} ${publishedVersions()}`;
    let announced = shown();
    const announce = async () => {
      await service.renew();
      const now = shown();
      if (now !== announced) server.local.emit('event', { kind: 'service' } satisfies EmittedEvent);
      announced = now;
    };
    const listener = listenToDatabase(
      joined.pool,
      {
        channels: {
          ...joined.channels,
          heartwood(notification: PgNotification) {
            if (notification.what === 'service') void announce();
            else passOn(server, notification, events);
            if (notification.what === 'reports') guests.checkSoon();
          },
        },
        missed: async () =>
          void (await Promise.all([checkSockets(socketsOf(server), deps), guests.check(), announce()])),
      },
      log,
    );
    const heart = startHeart(server, deps);
    io = server;
    closing = [
      async () => {
        clearInterval(heart);
        await closeInTurns(socketsOf(server));
        await server.of('/').adapter.close();
        server.engine.close();
        listener.stop();
      },
      joined.close,
      () => reading.end(),
    ];
  }

  return {
    emit(accountIds, event) {
      io?.to(accountIds.map(room)).emit('event', event);
    },
    emitTo(name, event) {
      io?.to(enteredRoom(name)).emit('event', event);
    },
    on(more) {
      Object.assign(clientEvents, more);
    },
    readFor(more) {
      Object.assign(readers, more);
    },
    readForStaff(reader) {
      staffReader = reader;
    },
    open,
    count: () => io?.engine.clientsCount ?? 0,
    opened: () => connected,
    isRedisDown: () => isRedisDown(),
    async close() {
      const steps = closing;
      closing = [];
      io = null;
      for (const step of steps)
        await step().catch((error: unknown) => log.warn({ err: error }, 'closing the sockets failed'));
    },
  };
}

const socketsOf = (server: Server) => [...server.sockets.sockets.values()];

/** Puts a socket in its rooms until its token expires. */
function welcome(socket: Socket, deps: RealtimeDeps): void {
  const admitted = socket.data as Admitted;
  void socket.join(roomsOf(admitted));
  const remainingMs = Math.max(0, admitted.endsAt.getTime() - deps.clock.now().getTime());
  const end = setTimeout(() => socket.disconnect(true), remainingMs);
  socket.on('disconnect', () => clearTimeout(end));
  // The session may have ended between loading it and joining the rooms.
  checkSockets([socket], deps).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'a new socket could not be checked'),
  );
}

interface Handling {
  clientEvents: ClientEvents;
  guests: Guests;
  deps: RealtimeDeps;
}

/** Passes a client's events to their handlers at a limited rate. */
function handleEvents(socket: Socket, { clientEvents, guests, deps }: Handling): void {
  const { accountId } = socket.data as Admitted;
  const enter = guests.entryOf(socket);
  for (const [name, handle] of Object.entries(clientEvents)) {
    const take = paced(async (payload) => {
      if (!socket.connected) return;
      await handle(accountId, payload, enter).catch((error: unknown) =>
        deps.log.warn({ err: error, event: name }, 'a client event failed'),
      );
    });
    socket.on(name, take);
  }
}

/**
 * Limits how often `handle` is called without losing the newest event of each subject. Repeated payloads count once,
 * and are handled one after the other, in the order in which they were last sent. Otherwise the last case that a
 * moderator opened might be dropped or overtaken by the one before.
 */
function paced(handle: (payload: unknown) => Promise<void>): (payload: unknown) => void {
  const waiting = new Map<string, unknown>();
  let isBusy = false;

  async function handleWaiting(): Promise<void> {
    isBusy = true;
    while (waiting.size > 0) {
      const payloads = [...waiting.values()];
      waiting.clear();
      for (const payload of payloads) await handle(payload);
      await pause(minIntervalMs, undefined, { ref: false });
    }
    isBusy = false;
  }

  return (payload) => {
    const subject = JSON.stringify(payload);
    waiting.delete(subject);
    waiting.set(subject, payload);
    const [oldest] = waiting.keys();
    if (waiting.size > mostWaiting && oldest !== undefined) waiting.delete(oldest);
    if (!isBusy) void handleWaiting();
  };
}

/** Checks one group of sockets after another for ended sessions that this process was not notified of. */
function startHeart(server: Server, deps: RealtimeDeps): NodeJS.Timeout {
  let group = 0;
  return setInterval(() => {
    group = (group + 1) % beats;
    const inGroup = socketsOf(server).filter(({ data }) => (data as CheckGroup).group === group);
    checkSockets(inGroup, deps).catch((error: unknown) => deps.log.warn({ err: error }, 'checking the sockets failed'));
  }, beatMs);
}

/** Disconnects sockets whose session has ended, and records activity for the others. */
async function checkSockets(sockets: Socket[], { pool, activity }: RealtimeDeps): Promise<void> {
  const here = sockets.map((socket) => ({ socket, of: socket.data as Admitted }));
  if (here.length === 0) return;
  const { rows } = await pool.query<{ id: string }>('select id from session where id = any ($1::uuid[])', [
    here.map(({ of }) => of.sessionId),
  ]);
  const live = new Set(rows.map(({ id }) => id));
  for (const { socket, of } of here) {
    if (live.has(of.sessionId)) activity.note(of.accountId, 0);
    else socket.disconnect(true);
  }
}
