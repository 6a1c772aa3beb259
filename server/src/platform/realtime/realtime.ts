import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { realtimePath, type RealtimeEvent } from '#contract/realtime.ts';
import { type AccessTokens, type ActivityLog, lacksSecondFactor, loadCaller } from '../session/caller.ts';
import type { Clock } from '../process/clock.ts';
import type { Config } from '../config/config.ts';
import { chooseAdapter, type Joined } from './adapter.ts';
import { listenToDatabase, type Told } from './pg-notifications.ts';
import { accessTokenTtlSeconds } from '#contract/constants.ts';

/** Each socket is looked at once in so many beats, a second apart: thousands at once would hold up whoever writes meanwhile. */
const beats = 30;
const beatMs = 1000;
/** More than this nobody has to say. */
const largestSaying = 4096;
/** Who talks faster is not heard. */
const quietMs = 500;

/** What a device may say over its socket, and who it concerns. */
export type Sayings = Record<string, (accountId: string, said: unknown) => Promise<void>>;

/** The sockets of all processes. What is told is a hint; nothing waits for it, and before the server listens it is nothing. */
export interface Realtime {
  /** Tells every device of these accounts, at whichever process. Only after what it tells of is committed. */
  tell(accountIds: readonly string[], event: RealtimeEvent): void;
  /** What devices may say; for those who know what it means. */
  hear(sayings: Sayings): void;
  open(server: HttpServer): Promise<void>;
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

/** In which beat a socket is looked at. */
interface Turn {
  turn: number;
}

const room = (accountId: string) => `account:${accountId}`;
const staffRoom = 'staff';
const sessionRoom = (sessionId: string) => `session:${sessionId}`;

/** Sockets over the server once it listens. A socket lives as long as its access token, and its session, do. */
export function createRealtime(deps: RealtimeDeps): Realtime {
  const { config, pool, clock, activity, log } = deps;
  const sayings: Sayings = {};
  let io: Server | null = null;
  let closing: (() => Promise<void>)[] = [];

  /** What the database told every process: each tells its own sockets. */
  function pass(told: Told): void {
    const emit = (rooms: string | string[], event: RealtimeEvent) => io?.local.to(rooms).emit('event', event);
    switch (told.what) {
      case 'session-ended':
        io?.local.in(sessionRoom(told.id)).disconnectSockets(true);
        return;
      case 'statistics':
      case 'reports':
        emit(staffRoom, { kind: told.what });
        return;
      case 'news':
        emit(room(told.id), { kind: 'news' });
        return;
      case 'match':
      case 'match-ended':
        emit([room(told.low), room(told.high)], {
          kind: told.what === 'match' ? 'match' : 'matchEnded',
          matchId: told.id,
        });
    }
  }

  /** Whose sessions ended without a word that arrived, and who is here: of those whose turn it is, or of all. */
  async function beat(server: Server, turn: number | null): Promise<void> {
    const sockets = [...server.sockets.sockets.values()];
    await check(turn === null ? sockets : sockets.filter(({ data }) => (data as Turn).turn === turn));
  }

  /** Ends those whose session is over, and notes that the others are here. */
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
    const server = new Server(http, {
      path: realtimePath,
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: largestSaying,
      perMessageDeflate: false,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      cors: { origin: false },
      adapter: joined.adapter,
      allowRequest: (request, decide) => {
        const isWelcome = isOwnOrigin(request, config.publicUrl);
        decide(isWelcome ? null : 'origin', isWelcome);
      },
    });
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
      (socket.data as Turn).turn = connected++ % beats;
      void socket.join([room(accountId), sessionRoom(sessionId), ...(isStaff ? [staffRoom] : [])]);
      const end = setTimeout(() => socket.disconnect(true), Math.max(0, endsAt.getTime() - clock.now().getTime()));
      socket.on('disconnect', () => clearTimeout(end));
      // The session may have ended after it was asked for, and before there was a room to tell of it.
      check([socket]).catch((error: unknown) => log.warn({ err: error }, 'a new socket could not be checked'));
      let heardAt = 0;
      for (const [name, hear] of Object.entries(sayings))
        socket.on(name, (said: unknown) => {
          const at = performance.now();
          if (at - heardAt < quietMs) return;
          heardAt = at;
          hear(accountId, said).catch((error: unknown) =>
            log.warn({ err: error, said: name }, 'what a socket said failed'),
          );
        });
    });
    const told = listenToDatabase(joined.pool, { pass, missed: () => beat(server, null) }, log);
    let turn = 0;
    const heart = setInterval(() => {
      turn = (turn + 1) % beats;
      beat(server, turn).catch((error: unknown) => log.warn({ err: error }, 'a heartbeat of the sockets failed'));
    }, beatMs);
    io = server;
    closing = [
      async () => {
        clearInterval(heart);
        server.local.disconnectSockets(true);
        await server.of('/').adapter.close();
        server.engine.close();
        await told.stop();
      },
      joined.close,
    ];
  }

  return {
    tell(accountIds, event) {
      io?.to(accountIds.map(room)).emit('event', event);
    },
    hear(more) {
      Object.assign(sayings, more);
    },
    open,
    async close() {
      const steps = closing;
      closing = [];
      io = null;
      for (const step of steps)
        await step().catch((error: unknown) => log.warn({ err: error }, 'the sockets ended badly'));
    },
  };
}

/** Whose socket it is, and until when it may live. */
export interface Admitted {
  accountId: string;
  sessionId: string;
  isStaff: boolean;
  endsAt: Date;
}

/** Who an access token of a live session names; null for every other. */
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

/** Whether a page of this service asks, or no page at all: browsers always say which. */
export function isOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
