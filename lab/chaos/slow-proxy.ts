import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/** A listener in front of a database's socket that delays what passes through it, in order and in both directions. */
export interface SlowProxy {
  port: number;
  /** Each chunk is delayed by the milliseconds that `delayMs` returns at that moment. */
  slowDown(delayMs: () => number): void;
  close(): void;
}

/** A proxy without any delay at first. */
export async function startSlowProxy(socketPath: string): Promise<SlowProxy> {
  let delayMs = () => 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection({ path: socketPath });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    pass(client, upstream);
    pass(upstream, client);
  });

  function pass(from: Socket, to: Socket): void {
    let freeAt = 0;
    const later = (work: () => void) => {
      freeAt = Math.max(freeAt, performance.now() + delayMs());
      setTimeout(work, Math.max(0, freeAt - performance.now()));
    };
    from.on('data', (piece: Buffer) => {
      later(() => to.write(piece));
    });
    from.on('close', () => {
      later(() => to.destroy());
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    slowDown: (delay) => {
      delayMs = delay;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
