import { readdirSync, readlinkSync, realpathSync } from 'node:fs';

/** All processes of the PostgreSQL server whose cluster is in `folder`, which is their working directory. */
export function databaseProcesses(folder: string): number[] {
  const cluster = realpathSync(folder);
  const worksThere = (pid: number) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(worksThere);
}

/** Sends `signal` to each process that still exists. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
