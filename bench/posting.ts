import { connect, type Socket } from 'node:net';

interface Line {
  socket: Socket;
  answer: string;
}

/**
 * Posts JSON over so many kept connections, one request at a time on each, and reads no more of an answer than where it ends: who
 * asks shares the cores with what is measured.
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
    const request = waiting.shift();
    if (request === undefined) idle.push(line);
    else line.socket.write(request);
  }
  function read(line: Line, part: Buffer): void {
    line.answer += part.toString('latin1');
    const bodyAt = line.answer.indexOf('\r\n\r\n') + 4;
    if (bodyAt === 3) return;
    const length = Number(/^content-length: (\d+)/im.exec(line.answer.slice(0, bodyAt))?.[1] ?? 0);
    if (line.answer.length < bodyAt + length) return;
    line.answer = '';
    next(line);
  }
  function open(): void {
    const line: Line = { socket: connect(Number(port), hostname), answer: '' };
    line.socket.setNoDelay(true).unref();
    line.socket.on('data', (part) => read(line, part));
    line.socket.on('error', () => undefined);
    // The server ends what was idle for long.
    line.socket.on('end', () => {
      const at = idle.indexOf(line);
      if (at >= 0) idle.splice(at, 1);
      open();
    });
    idle.push(line);
  }
  for (let made = 0; made < connections; made += 1) open();
  return post;
}
