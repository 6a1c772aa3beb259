import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Another server in a process of its own, for comparison. */
export interface HelperProcess {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a file of this folder that sends its address. */
export async function startProcess(file: string, ...parameters: string[]): Promise<HelperProcess> {
  const child = fork(join(import.meta.dirname, file), parameters);
  const [origin] = (await once(child, 'message')) as [string];
  return {
    origin,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
