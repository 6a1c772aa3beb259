import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import proxyAddress from '@fastify/proxy-addr';
import { Server, type Socket } from 'socket.io';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { accessTokenTtlSeconds } from '#contract/constants.ts';
import { realtimePath } from '#contract/realtime.ts';
import type { AccessTokens } from '../session/access-tokens.ts';
import type { ActivityLog } from '../session/activity.ts';
import { lacksSecondFactor, loadCaller } from '../session/caller.ts';
import type { Db } from '../db/db.ts';
import type { Clock } from '../process/clock.ts';
import type { Config } from '../config/config.ts';
import { networkOf, trustIn } from '../http/client-network.ts';
import type { Joined } from './adapter.ts';

/** Maximum payload in bytes. */
const maxPayloadBytes = 4096;
/** A socket that has not sent a valid token within this time is closed. */
const authenticatesWithinMs = 5000;
/** A client that doesn't answer the close of its socket is cut off after this time. */
const closesWithinMs = 3000;
/** The maximum number of sockets per network and process, and how many of them may be unauthenticated. */
export const socketsPerNetwork = { all: 500, strangers: 50 };

export interface RealtimeDeps {
  config: Config;
  db: Db;
  pool: pg.Pool;
  clock: Clock;
  tokens: AccessTokens;
  activity: ActivityLog;
  log: FastifyBaseLogger;
}

/**
 * Accepts sockets on the HTTP server from pages of this service and within the limits of a network. `onOpen` receives
 * only sockets with a live session, which is their `data` as `Admitted`.
 */
export function acceptSockets(
  http: HttpServer,
  adapter: Joined['adapter'],
  deps: RealtimeDeps,
  onOpen: (socket: Socket) => void,
): Server {
  const { config } = deps;
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
    adapter,
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
  server.on('connection', (socket) => {
    networks.know(socket.conn);
    onOpen(socket);
  });
  return server;
}

const closedAtOnce = 50;
const mostTurns = 40;
const turnMs = 50;

/**
 * Disconnects sockets in groups within two seconds, so that the other processes don't have to admit all of them at
 * once.
 */
export async function closeInTurns(sockets: readonly { disconnect(close: boolean): unknown }[]): Promise<void> {
  const size = Math.max(closedAtOnce, Math.ceil(sockets.length / mostTurns));
  for (let from = 0; from < sockets.length; from += size) {
    if (from > 0) await pause(turnMs);
    for (const socket of sockets.slice(from, from + size)) socket.disconnect(true);
  }
}

type Connection = Socket['conn'];

/** Counts the connections of each network in this process, and how many are unauthenticated. */
function countNetworks({ trustedProxies, rateLimits }: Config) {
  const isTrusted = trustIn(trustedProxies);
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
      // Our side closes the connection before it is gone, so it counts for as long as the client keeps it open.
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

/** The account of a socket, and when the socket must close. */
export interface Admitted {
  accountId: string;
  sessionId: string;
  isStaff: boolean;
  endsAt: Date;
}

/** The account of an access token with a live session; null for any other token. */
export async function admit({ config, tokens, db, clock }: RealtimeDeps, token: unknown): Promise<Admitted | null> {
  if (typeof token !== 'string' || token.length > 2048) return null;
  const now = clock.now();
  const named = await tokens.read(token, now);
  if (named === null) return null;
  const caller = await loadCaller(db, named.sessionId, named.accountId, now);
  if (caller === null || lacksSecondFactor(config, caller)) return null;
  const endsAt = new Date(Math.min(named.endsAt.getTime(), now.getTime() + accessTokenTtlSeconds * 1000));
  return { accountId: caller.accountId, sessionId: caller.sessionId, isStaff: caller.staffRole !== null, endsAt };
}

/** Whether the request comes from a page of this service or from no page; browsers always send the origin. */
function isOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
