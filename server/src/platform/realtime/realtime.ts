import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import proxyAddress from '@fastify/proxy-addr';
import { Server, type Socket } from 'socket.io';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { realtimePath, type RealtimeEvent } from '#contract/realtime.ts';
import { type AccessTokens, type ActivityLog, lacksSecondFactor, loadCaller } from '../session/caller.ts';
import type { Clock } from '../process/clock.ts';
import type { Config } from '../config/config.ts';
import { inBatches } from '../db/db.ts';
import { networkOf } from '../http/limits.ts';
import { chooseAdapter, type Joined } from './adapter.ts';
import { listenToDatabase, type PgNotification } from './pg-notifications.ts';
import { accessTokenTtlSeconds } from '#contract/constants.ts';

/** Sockets are checked in this many groups, one group per second: checking thousands at once would delay other writes. */
const beats = 30;
const beatMs = 1000;
/** Maximum payload in bytes. */
const maxPayloadBytes = 4096;
/** A socket that has not sent a valid token by then is closed. */
const authenticatesWithinMs = 5000;
/** A client that doesn't answer the close of its socket is cut off after this long. */
const closesWithinMs = 3000;
/** The maximum number of sockets per network in a process, and how many of them may not have named an account yet. */
export const socketsPerNetwork = { all: 500, strangers: 50 };
/** Drop events sent more often than this. */
const minIntervalMs = 500;

/**
 * Puts the socket that sent an event in a room, and out of the one it was put in before; null for no room. It leaves once `mayStay`
 * is false, which is asked again whenever a report or case has changed.
 */
type Enter = (room: string | null, mayStay: () => Promise<boolean>) => Promise<void>;

/** Handlers of events that clients may send over their socket, by event name. */
export type ClientEvents = Record<string, (accountId: string, payload: unknown, enter: Enter) => Promise<void>>;

/** The sockets of all processes. Events are hints: nothing waits for them, and before the server listens they are dropped. */
export interface Realtime {
  /** Sends an event to every device of these accounts, in any process. Call it only after the commit. */
  emit(accountIds: readonly string[], event: RealtimeEvent): void;
  /** Sends an event to every socket in a room that handlers put them in, in any process. */
  emitTo(room: string, event: RealtimeEvent): void;
  /** Adds handlers of client events. */
  on(events: ClientEvents): void;
  open(server: HttpServer): Promise<void>;
  /** The open sockets of this process. */
  count(): number;
  close(): Promise<void>;
}

export interface RealtimeDeps {
  config: Config;
  pool: pg.Pool;
  clock: Clock;
  tokens: AccessTokens;
  activity: ActivityLog;
  log: FastifyBaseLogger;
}

/** The group in which a socket is checked. */
interface CheckGroup {
  group: number;
}

const room = (accountId: string) => `account:${accountId}`;
const staffRoom = 'staff';
const enteredRoom = (name: string) => `entered:${name}`;
const sessionRoom = (sessionId: string) => `session:${sessionId}`;

/** Sockets over the server once it listens. A socket closes when its access token expires or its session ends. */
export function createRealtime(deps: RealtimeDeps): Realtime {
  const { config, pool, clock, activity, log } = deps;
  const clientEvents: ClientEvents = {};
  let io: Server | null = null;
  let closing: (() => Promise<void>)[] = [];
  /** For each socket in a room, what makes it leave if it may not stay. */
  const guests = new Map<Socket, () => Promise<void>>();
  const checkGuests = inBatches(
    async (asked: null[]) => {
      await Promise.all([...guests.values()].map((leave) => leave()));
      return asked;
    },
    { atOnce: 1, most: 1000 },
  );
  /** Passes a database notification, which every process receives, to this process's sockets. */
  function pass(notification: PgNotification): void {
    const emit = (rooms: string | string[], event: RealtimeEvent) => io?.local.to(rooms).emit('event', event);
    switch (notification.what) {
      case 'session-ended':
        io?.local.in(sessionRoom(notification.id)).disconnectSockets(true);
        return;
      case 'statistics':
      case 'reports':
        emit(staffRoom, { kind: notification.what });
        if (notification.what === 'reports' && guests.size > 0)
          checkGuests(null).catch((error: unknown) => log.warn({ err: error }, 'rooms could not be checked'));
        return;
      case 'news':
        emit(room(notification.id), { kind: 'news' });
        return;
      case 'assigned':
        emit(room(notification.id), { kind: 'assigned', caseId: notification.caseId, by: notification.by });
        return;
      case 'match':
      case 'match-ended':
        emit([room(notification.low), room(notification.high)], {
          kind: notification.what === 'match' ? 'match' : 'matchEnded',
          matchId: notification.id,
        });
    }
  }
  /** Checks the sockets of one group, or all, for ended sessions that this process was not notified of. */
  async function beat(server: Server, group: number | null): Promise<void> {
    const sockets = [...server.sockets.sockets.values()];
    await check(group === null ? sockets : sockets.filter(({ data }) => (data as CheckGroup).group === group));
  }
  /** Disconnects sockets whose session has ended, and records activity for the others. */
  async function check(sockets: Socket[]): Promise<void> {
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

  async function open(http: HttpServer): Promise<void> {
    const joined: Joined = await chooseAdapter(config, pool, log);
    const networks = countNetworks(config);
    const server = new Server(http, {
      path: realtimePath,
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: maxPayloadBytes,
      perMessageDeflate: false,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      connectTimeout: authenticatesWithinMs,
      cors: { origin: false },
      adapter: joined.adapter,
      allowRequest: (request, decide) => {
        const isOwn = isOwnOrigin(request, config.publicUrl);
        const isWelcome = isOwn && networks.hasRoom(request);
        decide(isWelcome ? null : isOwn ? 'too many' : 'origin', isWelcome);
      },
    });
    server.engine.on('connection', (connection: Connection) => networks.add(connection));
    server.use((socket, next) => {
      void admit(deps, socket.handshake.auth['token']).then(
        (admitted) => {
          if (admitted !== null) Object.assign(socket.data as object, admitted);
          next(admitted === null ? new Error('unauthorized') : undefined);
        },
        () => next(new Error('unavailable')),
      );
    });
    let connected = 0;
    server.on('connection', (socket) => {
      const { accountId, sessionId, isStaff, endsAt } = socket.data as Admitted;
      networks.know(socket.conn);
      (socket.data as CheckGroup).group = connected++ % beats;
      void socket.join([room(accountId), sessionRoom(sessionId), ...(isStaff ? [staffRoom] : [])]);
      const end = setTimeout(() => socket.disconnect(true), Math.max(0, endsAt.getTime() - clock.now().getTime()));
      socket.on('disconnect', () => clearTimeout(end));
      // The session may have ended after it was loaded and before this socket joined its rooms.
      check([socket]).catch((error: unknown) => log.warn({ err: error }, 'a new socket could not be checked'));
      let entered: string | null = null;
      const enter: Enter = async (name, mayStay) => {
        if (name === entered) return;
        if (entered !== null) await socket.leave(enteredRoom(entered));
        entered = name;
        guests.delete(socket);
        if (name === null || !socket.connected) return;
        await socket.join(enteredRoom(name));
        guests.set(socket, async () => {
          // Leaves if it can't be checked: the room says who works on what.
          const stays = await mayStay().catch(() => false);
          if (!stays && entered === name) await enter(null, mayStay);
        });
      };
      socket.on('disconnect', () => guests.delete(socket));
      let handledAt = 0;
      for (const [name, handle] of Object.entries(clientEvents))
        socket.on(name, (payload: unknown) => {
          const at = performance.now();
          if (at - handledAt < minIntervalMs) return;
          handledAt = at;
          handle(accountId, payload, enter).catch((error: unknown) =>
            log.warn({ err: error, event: name }, 'a client event failed'),
          );
        });
    });
    const listener = listenToDatabase(
      joined.pool,
      { pass, missed: async () => void (await Promise.all([beat(server, null), checkGuests(null)])) },
      log,
    );
    let group = 0;
    const heart = setInterval(() => {
      group = (group + 1) % beats;
      beat(server, group).catch((error: unknown) => log.warn({ err: error }, 'checking the sockets failed'));
    }, beatMs);
    io = server;
    closing = [
      async () => {
        clearInterval(heart);
        await closeInTurns([...server.sockets.sockets.values()]);
        await server.of('/').adapter.close();
        server.engine.close();
        await listener.stop();
      },
      joined.close,
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
    open,
    count: () => io?.engine.clientsCount ?? 0,
    async close() {
      const steps = closing;
      closing = [];
      io = null;
      for (const step of steps)
        await step().catch((error: unknown) => log.warn({ err: error }, 'closing the sockets failed'));
    },
  };
}

const closedAtOnce = 50;
const mostTurns = 40;
const turnMs = 50;

/** Disconnects sockets in groups, within two seconds, so that the other processes don't have to admit all of them at once. */
export async function closeInTurns(sockets: readonly { disconnect(close: boolean): unknown }[]): Promise<void> {
  const size = Math.max(closedAtOnce, Math.ceil(sockets.length / mostTurns));
  for (let from = 0; from < sockets.length; from += size) {
    if (from > 0) await pause(turnMs);
    for (const socket of sockets.slice(from, from + size)) socket.disconnect(true);
  }
}

type Connection = Socket['conn'];

/** Counts the connections of each network in this process, and how many of them have not named an account yet. */
function countNetworks({ trustedProxies, rateLimits }: Config) {
  const isTrusted = proxyAddress.compile(trustedProxies);
  const counts = new Map<string, { all: number; strangers: number }>();
  const networkBehind = (request: IncomingMessage) => networkOf(proxyAddress(request, isTrusted));
  const strangers = new WeakMap<Connection, () => void>();
  return {
    hasRoom(request: IncomingMessage): boolean {
      const count = counts.get(networkBehind(request));
      if (!rateLimits || count === undefined) return true;
      return count.all < socketsPerNetwork.all && count.strangers < socketsPerNetwork.strangers;
    },
    add(connection: Connection): void {
      const network = networkBehind(connection.request);
      const count = counts.get(network) ?? { all: 0, strangers: 0 };
      counts.set(network, count);
      count.all += 1;
      count.strangers += 1;
      strangers.set(connection, () => (count.strangers -= 1));
      const { socket } = connection.request;
      let cut: NodeJS.Timeout | undefined;
      connection.on('close', () => (cut = setTimeout(() => socket.destroy(), closesWithinMs)));
      // The connection closes for us before it is gone: it counts as long as the client holds it.
      socket.on('close', () => {
        clearTimeout(cut);
        this.know(connection);
        count.all -= 1;
        if (count.all === 0) counts.delete(network);
      });
    },
    know(connection: Connection): void {
      strangers.get(connection)?.();
      strangers.delete(connection);
    },
  };
}

/** The account behind a socket, and when the socket must close. */
export interface Admitted {
  accountId: string;
  sessionId: string;
  isStaff: boolean;
  endsAt: Date;
}

/** The account of an access token with a live session; null for any other token. */
export async function admit({ config, tokens, pool, clock }: RealtimeDeps, token: unknown): Promise<Admitted | null> {
  if (typeof token !== 'string' || token.length > 2048) return null;
  const now = clock.now();
  const named = await tokens.read(token, now);
  if (named === null) return null;
  const caller = await loadCaller(pool, named.sessionId, named.accountId, now);
  if (caller === null || lacksSecondFactor(config, caller)) return null;
  const endsAt = new Date(Math.min(named.endsAt.getTime(), now.getTime() + accessTokenTtlSeconds * 1000));
  return { accountId: caller.accountId, sessionId: caller.sessionId, isStaff: caller.staffRole !== null, endsAt };
}

/** Whether the request comes from a page of this service or from no page: browsers always send the origin. */
export function isOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
