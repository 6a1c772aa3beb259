import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../../launcher/command.ts';

const databaseUser = 'postgres';

/** Runs a command; throws with its output if it fails. */
export async function must(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand(command, args, { quiet: true });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${output}`);
  return output;
}

/** A program that can be killed and started again. */
export interface Program {
  start(): void;
  /** Kills it and returns when it has ended. */
  kill(): Promise<void>;
}

/** A program that runs as the database's user, because some refuse to run as root, or as another. Its output goes to `folder`. */
export function createProgram(folder: string, name: string, command: string[], user = databaseUser): Program {
  const rest = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...command];
  let child: ChildProcess | null = null;
  return {
    start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = spawn('setpriv', rest, { cwd: folder, stdio: ['ignore', log, log] });
      closeSync(log);
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits until `condition` holds; after `withinMs` it throws an error that contains `what`. */
export async function until(what: string, condition: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; ; await pause(200)) {
    if (await condition().catch(() => false)) return;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1000} s`);
  }
}
