import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { Server } from 'socket.io';
import { realtimePath } from '#contract/realtime.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { createPool } from '../../server/src/platform/db/pool.ts';
import { createLog } from '../../server/src/platform/process/log.ts';
import { chooseAdapter } from '../../server/src/platform/realtime/adapter.ts';
import { listenToDatabase } from '../../server/src/platform/realtime/pg-notifications.ts';
import { databaseCpuMs, type Spent } from './usage.ts';

/** A separate process with a minimal socket server: it forwards each message to the named room. */
const { values } = parseArgs({ options: { database: { type: 'string', default: '' } } });

const pool = createPool(values.database);
const log = createLog('warn');
const { adapter, channels, pool: listening } = await chooseAdapter(readConfig({ SEED: 'none' }), pool, log);
listenToDatabase(listening, { channels, missed: async () => undefined }, log);
const http = createServer();
const io = new Server(http, {
  path: realtimePath,
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
  adapter,
});
io.on('connection', (socket) => {
  void socket.join(String(socket.handshake.auth['token']));
  socket.on('say', ({ to, text }: { to: string; text: string }) => {
    io.to(to).emit('event', { text });
  });
});
http.listen(0, '127.0.0.1', () => {
  process.send?.({ baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  void databaseCpuMs(pool).then((databaseMs) =>
    process.send?.({ serverMs: (user + system) / 1000, databaseMs } satisfies Spent),
  );
});
process.on('disconnect', () => process.exit(0));
