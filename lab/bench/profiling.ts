import { Session, type Profiler } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Questions about the serving process itself: a CPU profile, and how late its event loop was (p99, in milliseconds). */
export type ProcessQuestion = { profile: 'start' | 'stop' } | { delay: 'start' | 'stop' };

const samplingMicroseconds = 500;
const resolutionMs = 1;
let session: Session | undefined;
let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

/** Starts or stops watching; stopping answers with what was seen. */
export async function answerAboutProcess(question: ProcessQuestion): Promise<Profiler.Profile | number | null> {
  if ('profile' in question) return question.profile === 'start' ? await startProfile() : await stopProfile();
  if (question.delay === 'start') {
    delays = monitorEventLoopDelay({ resolution: resolutionMs });
    delays.enable();
    return null;
  }
  delays?.disable();
  return (delays?.percentile(99) ?? Number.NaN) / 1e6 - resolutionMs;
}

async function startProfile(): Promise<null> {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
  await session.post('Profiler.start');
  return null;
}

async function stopProfile(): Promise<Profiler.Profile | null> {
  const stopped = await session?.post('Profiler.stop');
  session?.disconnect();
  return stopped?.profile ?? null;
}
