import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Random } from '../random.ts';

/** One address in front of several servers, whose connections are cut at random bytes. */
export interface CuttingProxy {
  origin: string;
  /** Cuts a random open connection within the next bytes that pass through it. */
  cut(): void;
  /** The number of cut connections. */
  cuts(): number;
  close(): void;
}

interface Link {
  client: Socket;
  upstream: Socket;
  /** The number of bytes that may still pass; infinite unless it will be cut. */
  bytesLeft: number;
}

const mostBytesLeft = 400;

/** A proxy that sends each connection to the next of `ports` that answers. */
export async function startCuttingProxy(ports: number[], random: Random): Promise<CuttingProxy> {
  const links = new Set<Link>();
  let next = 0;
  let cuts = 0;

  function end(link: Link): void {
    if (!links.delete(link)) return;
    link.client.destroy();
    link.upstream.destroy();
  }

  function pass(link: Link, from: Socket, to: Socket): void {
    from.on('data', (piece: Buffer) => {
      if (piece.length < link.bytesLeft) {
        link.bytesLeft -= piece.length;
        to.write(piece);
        return;
      }
      cuts += 1;
      to.write(piece.subarray(0, link.bytesLeft), () => end(link));
    });
    from.on('close', () => {
      to.end();
      links.delete(link);
    });
  }

  function connect(client: Socket, triesLeft: number): void {
    const port = ports[next++ % ports.length] ?? 0;
    const upstream = createConnection({ port, host: '127.0.0.1' });
    upstream.once('error', () => {
      if (triesLeft > 0 && !client.destroyed) connect(client, triesLeft - 1);
      else client.destroy();
    });
    upstream.once('connect', () => {
      const link = { client, upstream, bytesLeft: Infinity };
      links.add(link);
      upstream.on('error', () => end(link));
      pass(link, client, upstream);
      pass(link, upstream, client);
      client.resume();
    });
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => undefined);
    connect(client, ports.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      const open = [...links].filter(({ bytesLeft }) => bytesLeft === Infinity);
      const link = open[Math.floor(random.next() * open.length)];
      if (link !== undefined) link.bytesLeft = Math.ceil(random.next() * mostBytesLeft);
    },
    cuts: () => cuts,
    close() {
      server.close();
      for (const link of links) end(link);
    },
  };
}
