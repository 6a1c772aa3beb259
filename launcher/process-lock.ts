import { createHash } from 'node:crypto';
import { createConnection, createServer, type Server } from 'node:net';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Who holds a lock. */
export interface LockHolder {
  pid: number;
  /** How the holder describes itself to people, for example its address. */
  name: string;
}

export interface ProcessLock {
  /** Null: this process holds the lock until `release` or until it exits. */
  heldBy: LockHolder | null;
  release(): void;
}

/**
 * The lock named `key` on this machine. It is a listening socket, so the kernel frees it when the process ends for any
 * reason, and no stale file remains (on Linux the socket has no file at all).
 */
export async function takeLock(key: string, name: string): Promise<ProcessLock> {
  const path = socketPath(key);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify({ pid: process.pid, name } satisfies LockHolder));
  });
  if (!(await listen(server, path))) {
    const holder = await askHolder(path);
    if (holder !== null) return { heldBy: holder, release: () => undefined };
    if (!path.startsWith('\0')) rmSync(path, { force: true });
    if (!(await listen(server, path))) return { heldBy: { pid: 0, name: '' }, release: () => undefined };
  }
  server.unref();
  return { heldBy: null, release: () => server.close() };
}

/** Who holds the lock named `key`, or null. */
export async function lockHolder(key: string): Promise<LockHolder | null> {
  return await askHolder(socketPath(key));
}

function socketPath(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return process.platform === 'linux' ? `\0heartwood-${hash}` : join(tmpdir(), `heartwood-${hash}.lock`);
}

/** False: another process is listening, or a socket file was left behind. */
async function listen(server: Server, path: string): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ path }, () => {
      resolve(true);
    });
  });
}

async function askHolder(path: string): Promise<LockHolder | null> {
  return await new Promise((resolve) => {
    let text = '';
    const socket = createConnection({ path });
    // A paused holder (SIGSTOP) accepts connections but stays silent; it still holds the lock.
    socket.setTimeout(1000, () => {
      resolve({ pid: 0, name: '' });
      socket.destroy();
    });
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => {
      resolve(null);
    });
    socket.on('close', () => {
      resolve(text === '' ? null : (JSON.parse(text) as LockHolder));
    });
  });
}
