import { connect, type Socket } from 'node:net';
import type { Times } from './measure.ts';
import type { Service } from './service.ts';

export interface Call {
  method: string;
  path: string;
  token?: string;
  body?: string;
  /** Sent as `Idempotency-Key`. */
  key?: string;
}

interface Plan {
  clients: number;
  /** How long to repeat the calls; with `once`, each call is sent once. */
  seconds?: number;
  once?: boolean;
}

/** What was measured: sorted times in milliseconds, calls per second, and the bytes of an average answer with its headers. */
export interface Load {
  times: Times;
  rate: number;
  bytes: number;
}

/** The headers that browsers send with every call. */
const browserHeaders = [
  'accept: */*',
  'accept-encoding: gzip, deflate, br, zstd',
  'accept-language: en-GB,en;q=0.9',
  'connection: keep-alive',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
].join('\r\n');

function requestText(host: string, { method, path, token, body, key }: Call): string {
  return [
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${browserHeaders}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : [`content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`]),
    ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
    `\r\n${body ?? ''}`,
  ].join('\r\n');
}

/** One kept-alive connection. It decodes nothing, since the client shares the cores with the server. */
interface Line {
  /** Resolves with the size of the answer; any status but success rejects. */
  send(call: Call): Promise<number>;
  close(): void;
}

function openLine(baseUrl: string): Line {
  const { hostname, port, host } = new URL(baseUrl);
  let waiting: { call: Call; resolve: (bytes: number) => void; reject: (error: Error) => void } | null = null;
  let parts: Buffer[] = [];
  let [bytes, needed] = [0, 0];

  function read(part: Buffer): void {
    parts.push(part);
    bytes += part.length;
    if (needed === 0) needed = sizeOf(Buffer.concat(parts));
    // The last chunk may be spread over several parts.
    const isDone =
      needed === -1
        ? Buffer.concat(parts.slice(-lastChunk.length)).subarray(-lastChunk.length).equals(lastChunk)
        : needed > 0 && bytes >= needed;
    if (!isDone || waiting === null) return;
    const { call, resolve, reject } = waiting;
    const head = parts[0]?.toString('latin1', 0, 300) ?? '';
    const read = bytes;
    waiting = null;
    parts = [];
    [bytes, needed] = [0, 0];
    if (/^HTTP\/1\.1 2/.test(head)) resolve(read);
    else reject(new Error(`${call.method} ${call.path} answered ${head}`));
  }
  const socket: Socket = connect(Number(port), hostname).setNoDelay(true);
  socket.on('data', read);
  socket.on('error', (error) => waiting?.reject(error));
  return {
    send: (call) =>
      new Promise((resolve, reject) => {
        waiting = { call, resolve, reject };
        socket.write(requestText(host, call));
      }),
    close: () => void socket.destroy(),
  };
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** The size of a whole answer by its head; 0 while the head is incomplete, -1 where the answer comes in chunks. */
function sizeOf(answer: Buffer): number {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1];
  return length === undefined ? -1 : end + 4 + Number(length);
}

/** Sends calls from that many concurrent clients, each over its own connection and without pausing. */
export async function load(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  calls: Call[],
  { clients, seconds = 10, once = false }: Plan,
): Promise<Load> {
  const times: Times = [];
  let bytes = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  let next = 0;
  const client = async () => {
    const line = openLine(baseUrl);
    while (once ? next < calls.length : performance.now() < until) {
      const call = calls[next % calls.length];
      next += 1;
      if (call === undefined) continue;
      const sentAt = performance.now();
      const size = await line.send(call);
      bytes += size;
      times.push(performance.now() - sentAt);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const tookSeconds = (performance.now() - started) / 1000;
  return { times: times.sort((a, b) => a - b), rate: times.length / tookSeconds, bytes: bytes / times.length };
}

const linesMost = 256;

/**
 * Sends calls at a fixed rate, whether or not earlier ones were answered, as many people do who do not know of each other. Times count from
 * the moment a call was due, so that a pause of the server counts for everyone who would have come during it (coordinated omission).
 * Connections are opened when they are needed: opening all of them first would keep the server busy while it is measured.
 */
export async function openLoop(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  calls: Call[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Load> {
  const times: Times = [];
  let bytes = 0;
  const late: number[] = [];
  const lines: Line[] = [];
  const idle: Line[] = [];
  const total = perSecond * seconds;
  let sent = 0;
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>();

  function newLine(): Line | undefined {
    if (lines.length === linesMost) return undefined;
    const line = openLine(baseUrl);
    lines.push(line);
    return line;
  }
  function sendDue(line: Line): void {
    const due = late.shift();
    if (due === undefined) return void idle.push(line);
    const call = calls[sent % calls.length] as Call;
    sent += 1;
    line.send(call).then((size) => {
      times.push(performance.now() - due);
      bytes += size;
      if (times.length === total) resolve();
      sendDue(line);
    }, reject);
  }
  const started = performance.now();
  let scheduled = 0;
  const timer = setInterval(() => {
    for (; scheduled < total && started + (scheduled * 1000) / perSecond <= performance.now(); scheduled += 1) {
      late.push(started + (scheduled * 1000) / perSecond);
      const line = idle.pop() ?? newLine();
      if (line !== undefined) sendDue(line);
    }
    if (scheduled === total) clearInterval(timer);
  }, 1);
  await answered;
  clearInterval(timer);
  const rate = (times.length * 1000) / (performance.now() - started);
  for (const line of lines) line.close();
  return { times: times.sort((a, b) => a - b), rate, bytes: bytes / total };
}
