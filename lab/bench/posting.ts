import { connect, type Socket } from 'node:net';

interface Line {
  socket: Socket;
  /** The requests without an answer so far. */
  request: string | undefined;
  answer: string;
}

/**
 * Posts JSON over that many kept-alive connections, one request at a time on each, and reads only as much of an answer as it needs
 * to find its end, since the client shares the cores with the server.
 */
export function postingTo(baseUrl: string, connections: number): (path: string, token: string, body: string) => void {
  const { hostname, port, host } = new URL(baseUrl);
  const idle: Line[] = [];
  const waiting: string[] = [];

  function post(path: string, token: string, body: string): void {
    waiting.push(
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const line = idle.pop();
    if (line) next(line);
  }
  function next(line: Line): void {
    line.request = waiting.shift();
    if (line.request === undefined) idle.push(line);
    else line.socket.write(line.request);
  }
  function read(line: Line, part: Buffer): void {
    line.answer += part.toString('latin1');
    const bodyAt = line.answer.indexOf('\r\n\r\n') + 4;
    if (bodyAt === 3) return;
    const length = Number(/^content-length: (\d+)/im.exec(line.answer.slice(0, bodyAt))?.[1] ?? 0);
    if (line.answer.length < bodyAt + length) return;
    // The server closes idle connections.
    if (line.answer.includes('did not arrive in time')) return;
    if (!line.answer.startsWith('HTTP/1.1 2')) throw new Error(`a post was refused: ${line.answer}`);
    line.answer = '';
    next(line);
  }
  function open(): void {
    const line: Line = { socket: connect(Number(port), hostname), request: undefined, answer: '' };
    line.socket.setNoDelay(true).unref();
    line.socket.on('data', (part) => read(line, part));
    line.socket.on('error', () => undefined);
    // The server may close an idle connection just as a request is sent; send it again, as browsers do.
    line.socket.on('close', () => {
      const at = idle.indexOf(line);
      if (at >= 0) idle.splice(at, 1);
      if (line.request !== undefined) waiting.unshift(line.request);
      open();
    });
    next(line);
  }
  for (let made = 0; made < connections; made += 1) open();
  return post;
}
