import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { MadeBrandPicture, MadePicture, Refusal } from './picture.ts';
import type { MadeVoice } from './voice.ts';

/** The result of each kind of decoder. */
interface Made {
  picture: MadePicture;
  /** A photo of a message, which may be longer and smaller than those of profiles. */
  messagePicture: MadePicture;
  voice: MadeVoice;
  logo: MadeBrandPicture;
  icon: MadeBrandPicture;
}
type Kind = keyof Made;

const scripts: Record<Kind, string> = {
  picture: './decoder.ts',
  messagePicture: './decoder.ts',
  voice: './voice-decoder.ts',
  logo: './brand-decoder.ts',
  icon: './brand-decoder.ts',
};

/** A process that gets no upload for this long ends and returns its memory. */
const idleMs = 30_000;
/** Idle processes, with the timers that end them. */
const idle: Record<Kind, { child: ChildProcess; end: NodeJS.Timeout }[]> = {
  picture: [],
  messagePicture: [],
  voice: [],
  logo: [],
  icon: [],
};

/** How long a decoder may compute for one upload, and how long that may take on a machine that is too busy to run it. */
export interface DecodeLimits {
  processorMs: number;
  clockMs: number;
}

/**
 * Re-encodes an upload in a separate process, which is killed beyond `limits`, because a decoder busy with hostile bytes can't be stopped
 * otherwise. Also returns 'killed' if the bytes crash the process. The time to start a process doesn't count.
 */
export async function decode<K extends Kind>(
  kind: K,
  upload: Buffer,
  limits: DecodeLimits,
): Promise<Made[K] | Refusal | 'killed'> {
  const child = takeIdle(kind) ?? (await readyDecoder(kind));
  const outcome = (await answerOf(child, upload, limits)) as Made[K] | Refusal | 'killed';
  if (outcome !== 'killed') keepIdle(kind, child);
  return outcome;
}

/** Sends an upload to a decoder and returns its answer; 'killed' if the process ended or was killed for it, even if an answer follows. */
export async function answerOf(child: ChildProcess, upload: Buffer, limits: DecodeLimits): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  const answer = once(child, 'message', { signal }).then(([outcome]) => outcome as unknown);
  const end = once(child, 'exit', { signal }).then(([code, killedBy]) => {
    if (killedBy === null) throw new Error(`the decoder ended with code ${String(code)}`);
    return 'killed';
  });
  const before = processorMs(child);
  const giveUpAt = performance.now() + limits.clockMs;
  const endIfBusy = () => {
    const left = Math.min(limits.processorMs - (processorMs(child) - before), giveUpAt - performance.now());
    if (left > 0) deadline = setTimeout(endIfBusy, left);
    else child.kill('SIGKILL');
  };
  let deadline = setTimeout(endIfBusy, limits.processorMs);
  try {
    child.send(upload);
    const outcome = await Promise.race([answer, end]);
    return child.killed ? 'killed' : outcome;
  } finally {
    clearTimeout(deadline);
    settled.abort();
  }
}

/** The unit in which Linux counts processor time. */
const tickMs = 10;

/** The processor time that a process has used; 0 on systems that don't report it, where only the clock counts. */
function processorMs({ pid }: ChildProcess): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * tickMs;
  } catch {
    return 0;
  }
}

/**
 * Starts a process that sends 'ready' and then decodes what it is sent. Its channel doesn't keep our process alive, and it ends when its
 * parent does.
 */
export function startDecoder(kind: Kind): ChildProcess {
  const child = fork(new URL(scripts[kind], import.meta.url), [kind], {
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

async function readyDecoder(kind: Kind): Promise<ChildProcess> {
  const child = startDecoder(kind);
  const settled = new AbortController();
  const { signal } = settled;
  const end = once(child, 'exit', { signal }).then(() => {
    throw new Error(`the ${kind} decoder couldn't start`);
  });
  await Promise.race([once(child, 'message', { signal }), end]).finally(() => settled.abort());
  return child;
}

function takeIdle(kind: Kind): ChildProcess | undefined {
  for (let free = idle[kind].pop(); free !== undefined; free = idle[kind].pop()) {
    clearTimeout(free.end);
    const { connected, killed, exitCode, signalCode } = free.child;
    if (!connected || killed || exitCode !== null || signalCode !== null) continue;
    free.child.ref();
    return free.child;
  }
  return undefined;
}

function keepIdle(kind: Kind, child: ChildProcess): void {
  child.unref();
  idle[kind].push({ child, end: setTimeout(() => child.kill('SIGKILL'), idleMs).unref() });
}
