import { randomBytes } from 'node:crypto';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { realtimePath, realtimeEventSchema, type RealtimeEvent } from '#contract/realtime.ts';
import { demoProviders } from '../../demo/installation.ts';
import { buildApp } from '../src/app.ts';
import { readConfig } from '#platform/config/config.ts';
import { createLog } from '#platform/process/log.ts';
import { createTestPool, type TestApp } from './harness.ts';

/** A device with a socket and its received events. */
export interface Device {
  socket: Socket;
  heard: RealtimeEvent[];
  /** Why it was refused or disconnected; null while connected. */
  ended: string | null;
}

/** Lets an app listen; returns its address. */
export async function listenTo({ app }: Pick<TestApp, 'app'>): Promise<string> {
  return await app.listen({ host: '127.0.0.1', port: 0 });
}

/** Starts another process of the same service over the same database; it listens. */
export async function anotherProcess(
  test: TestApp,
  env: Record<string, string> = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const pool = createTestPool(test.pool.options.connectionString ?? '', 4);
  const config = readConfig({ RATE_LIMITS: 'off', SEED: 'none', MEDIA_DIR: test.mediaDir, ...env });
  const app = await buildApp({
    config,
    pool,
    clock: test.clock,
    log: createLog('fatal'),
    providers: demoProviders,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await app.close();
      await pool.end();
    },
  };
}

/** Connects a device; resolves once it is connected or refused. */
export async function connect(
  url: string,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<Device> {
  const socket = io(url, {
    path: realtimePath,
    transports: ['websocket'],
    auth: token === null ? {} : { token },
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
  });
  const device: Device = { socket, heard: [], ended: null };
  socket.on('event', (event: unknown) => device.heard.push(realtimeEventSchema.parse(event)));
  socket.on('disconnect', (reason) => {
    device.ended = reason;
  });
  await new Promise<void>((resolve) => {
    socket.on('connect', resolve);
    socket.on('connect_error', (error) => {
      device.ended = error.message;
      resolve();
    });
  });
  return device;
}

/** A WebSocket that never sends a token. */
export function rawSocket(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${realtimePath}/?EIO=4&transport=websocket`, { headers });
  const opened = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()));
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  return { opened, closed, close: () => socket.close() };
}

/**
 * A connection that upgrades to a WebSocket and then answers nothing, not even a close. `asked` resolves when the
 * server asks it to close, `closed` when the server cuts it off.
 */
export function muteSocket(url: string, headers: Record<string, string> = {}) {
  const { hostname, port, host } = new URL(url);
  const socket = connectTcp({ host: hostname, port: Number(port) });
  const all = {
    host,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${realtimePath}/?EIO=4&transport=websocket HTTP/1.1\r\n${lines.join('')}\r\n`);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    if (data.toString('latin1').startsWith('HTTP/1.1 101')) open();
    if (data.includes(Buffer.from([0x88, 0x00]))) ask();
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return { opened, asked, closed };
}
