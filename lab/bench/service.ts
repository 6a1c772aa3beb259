import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { DiscoveryQuestion } from './discovery-questions.ts';
import type { ProcessQuestion } from './profiling.ts';
import { countAllocations, type Usage } from './usage.ts';

/** The running service and a signed-in account. */
export interface Service {
  baseUrl: string;
  /** The address of a Fastify route that only does one select by primary key. */
  bareUrl: string;
  token: string;
  /** Memory of the server process in bytes. */
  memory(): Promise<number>;
  /** What serving has cost since the start. */
  usage(): Promise<Usage>;
  /** Asks the server process a question outside HTTP; see `discovery-questions.ts` and `profiling.ts`. */
  ask(question: DiscoveryQuestion | ProcessQuestion): Promise<unknown>;
  stop(): Promise<void>;
}

/** Serves a database in a separate process, with `email` signed in; `profiling` are further options of Node, `settings` variables. */
export async function serve(
  database: string,
  email: string,
  profiling: string[] = [],
  settings: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const parameters = ['--database', database, '--email', email];
  // As `npm start` runs it; otherwise, young garbage alone takes 100 MB on a machine with much memory.
  const child = fork(resolve(import.meta.dirname, 'server.ts'), parameters, {
    execArgv: ['--max-semi-space-size=16', '--trace-gc', ...profiling],
    env: { ...process.env, ...settings },
    stdio: ['inherit', 'pipe', 'inherit', 'ipc'],
  });
  const allocations = countAllocations();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => allocations.read(text));
  const failed = once(child, 'exit').then(() => {
    throw new Error('the server did not start');
  });
  const [addresses] = (await Promise.race([once(child, 'message'), failed])) as [
    Omit<Service, 'memory' | 'usage' | 'ask' | 'stop'>,
  ];
  failed.catch(() => undefined);
  return {
    ...addresses,
    async memory() {
      child.send('memory');
      const [{ rss }] = (await once(child, 'message')) as [{ rss: number }];
      return rss;
    },
    async usage() {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [Omit<Usage, 'allocated'>];
      return { ...usage, allocated: allocations.bytes() };
    },
    async ask(question) {
      child.send(question);
      const [reply] = (await once(child, 'message')) as [{ answer?: unknown; failed?: string }];
      if (reply.failed !== undefined) throw new Error(reply.failed);
      return reply.answer;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
