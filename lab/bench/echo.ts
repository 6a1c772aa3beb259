import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { realtimePath } from '#contract/realtime.ts';

// A separate process with a minimal socket server: it forwards each message to the named room.
const http = createServer();
const io = new Server(http, {
  path: realtimePath,
  transports: ['websocket'],
  serveClient: false,
  perMessageDeflate: false,
});
io.on('connection', (socket) => {
  void socket.join(String(socket.handshake.auth['token']));
  socket.on('say', ({ to, text }: { to: string; text: string }) => {
    io.to(to).emit('event', { text });
  });
});
http.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit(0));
