import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { MadePicture, Refusal } from './picture.ts';

/** A process that gets no picture for this long ends and returns its memory. */
const idleMs = 30_000;
/** Idle processes, with the timers that end them. */
const idle: { child: ChildProcess; end: NodeJS.Timeout }[] = [];

/**
 * Re-encodes an upload in a separate process, which is killed after `withinMs`, because a decoder busy with hostile bytes can't be stopped
 * otherwise. Also returns 'killed' if the bytes crash the process.
 */
export async function decode(upload: Buffer, withinMs: number): Promise<MadePicture | Refusal | 'killed'> {
  const child = takeIdle() ?? startDecoder();
  const settled = new AbortController();
  const { signal } = settled;
  const answer = once(child, 'message', { signal }).then(([outcome]) => outcome as MadePicture | Refusal);
  const end = once(child, 'exit', { signal }).then(([code, killedBy]) => {
    if (killedBy === null) throw new Error(`the picture decoder ended with code ${String(code)}`);
    return 'killed' as const;
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), withinMs);
  try {
    child.send(upload);
    const outcome = await Promise.race([answer, end]);
    if (outcome !== 'killed') keepIdle(child);
    return outcome;
  } finally {
    clearTimeout(deadline);
    settled.abort();
  }
}

/** Starts a process that decodes what it is sent. Its channel doesn't keep our process alive, and it ends when its parent does. */
export function startDecoder(): ChildProcess {
  const child = fork(new URL('./decoder.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    // The server's environment contains secrets that a process reading hostile bytes doesn't need.
    env: {},
  });
  child.on('error', () => child.kill('SIGKILL'));
  child.channel?.unref();
  return child;
}

function takeIdle(): ChildProcess | undefined {
  for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
    clearTimeout(free.end);
    if (!free.child.connected || free.child.killed) continue;
    free.child.ref();
    return free.child;
  }
  return undefined;
}

function keepIdle(child: ChildProcess): void {
  child.unref();
  idle.push({ child, end: setTimeout(() => child.kill('SIGKILL'), idleMs).unref() });
}
