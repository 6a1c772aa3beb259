import { Session, type Profiler } from 'node:inspector/promises';

/** Starts or stops a CPU profile of the serving process; stopping answers with it. */
export interface ProcessQuestion {
  profile: 'start' | 'stop';
}

const samplingMicroseconds = 500;
let session: Session | undefined;

/** Null at the start. */
export async function answerAboutProcess({ profile }: ProcessQuestion): Promise<Profiler.Profile | null> {
  if (profile === 'stop') {
    const stopped = await session?.post('Profiler.stop');
    session?.disconnect();
    return stopped?.profile ?? null;
  }
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
  await session.post('Profiler.start');
  return null;
}
