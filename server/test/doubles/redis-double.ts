import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const list = (items: string[]) => `*${items.length}\r\n${items.join('')}`;

/** Ids ascend, even after Redis restarts. */
let lastId = 0;

/** A Redis with the commands of the socket adapter and one stream; it forgets everything when it stops. */
export async function startRedisDouble(port = 0) {
  const entries: { id: number; reply: string }[] = [];
  const connections = new Set<Socket>();
  let readers: (() => void)[] = [];
  const server = createServer((socket) => {
    connections.add(socket);
    let unread = '';
    socket.on('error', () => undefined).on('close', () => connections.delete(socket));
    socket.setEncoding('utf8').on('data', (data: string) => {
      unread += data;
      for (let command = nextIn(unread); command !== null; command = nextIn(unread)) {
        unread = command.rest;
        answer(socket, command.words);
      }
    });
  });

  function answer(socket: Socket, [name = '', ...words]: string[]): void {
    if (name === 'XADD') {
      const id = ++lastId;
      const fields = words.slice(words.indexOf('*') + 1);
      entries.push({ id, reply: list([bulk(`${id}-0`), list(fields.map(bulk))]) });
      socket.write(bulk(`${id}-0`));
      for (const read of readers.splice(0)) read();
    } else if (name === 'XREAD') {
      const [stream = '', from = ''] = words.slice(words.indexOf('STREAMS') + 1);
      const after = from === '$' ? lastId : Number(from.split('-')[0]);
      const newer = () => entries.filter(({ id }) => id > after).map(({ reply }) => reply);
      const read = () => socket.write(list([list([bulk(stream), list(newer())])]));
      if (newer().length > 0) read();
      else readers = [...readers, read];
    } else if (name === 'SUBSCRIBE') {
      words.forEach((channel, index) => socket.write(`*3\r\n${bulk('subscribe')}${bulk(channel)}:${index + 1}\r\n`));
    } else socket.write('+OK\r\n');
  }

  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** The number of events sent through it. */
    count: () => entries.length,
    /** The number of processes that wait for the next event. */
    readers: () => readers.length,
    async stop() {
      server.close();
      for (const socket of connections) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** The first complete command that a client sent; null if there is none yet. Tests send only ASCII. */
function nextIn(text: string): { words: string[]; rest: string } | null {
  const parts = text.split('\r\n');
  const count = 2 * Number(parts[0]?.slice(1));
  if (text === '' || parts.length < count + 2) return null;
  const words = parts.slice(1, count + 1).filter((_, index) => index % 2 === 1);
  return { words, rest: parts.slice(count + 1).join('\r\n') };
}
