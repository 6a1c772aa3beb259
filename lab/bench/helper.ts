import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import { Server } from 'socket.io';
import { realtimePath } from '#contract/realtime.ts';

// A separate process with a minimal server that the product is compared with. It sends its address to the process that started it.
const [, , kind, connectionString = ''] = process.argv;

/** A Fastify route that only selects one row by its primary key. */
async function serveBareRoute(): Promise<string> {
  const pool = new pg.Pool({ connectionString, max: 20 });
  const { rows: ids } = await pool.query<{ id: string }>('select account_id as id from profile limit 1');
  const app = Fastify();
  app.get('/bare', async () => {
    const text = 'select * from profile where account_id = $1';
    const { rows } = await pool.query<object>({ name: 'bare', text, values: [ids[0]?.id] });
    return rows[0];
  });
  return await app.listen({ port: 0, host: '127.0.0.1' });
}

/** A socket server that only forwards each message to the named room. */
async function serveEcho(): Promise<string> {
  const http = createServer();
  const io = new Server(http, { path: realtimePath, transports: ['websocket'], serveClient: false });
  io.on('connection', (socket) => {
    void socket.join(String(socket.handshake.auth['token']));
    socket.on('say', ({ to, text }: { to: string; text: string }) => {
      io.to(to).emit('event', { text });
    });
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

process.send?.(await (kind === 'echo' ? serveEcho() : serveBareRoute()));
process.on('disconnect', () => process.exit(0));
