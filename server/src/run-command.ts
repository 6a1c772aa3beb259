import { ConfigError } from '#platform/config/values.ts';
import { AppError } from '#platform/http/app-error.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import type { DemoData } from './demo-data.ts';
import type { EmbeddedLauncher } from './open-database.ts';
import type { Providers } from './providers.ts';

/** A command for operators. */
export interface Command {
  usage: string;
  run(installation: Installation): Promise<void>;
}

/**
 * Runs a command and exits with 1 if it fails. It prints only the message if that says what to do, and the usage for an
 * unknown option. With `--help` it prints the usage and does nothing else.
 */
export async function runCommand({ usage, run }: Command, installation: Installation = {}): Promise<void> {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  // Otherwise an embedded database that the command has started would keep running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  try {
    await run(installation);
  } catch (error) {
    const known = error instanceof StartError || error instanceof ConfigError || error instanceof AppError;
    const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    process.stderr.write(known ? `${error.message}\n` : isUsage ? `${usage}\n` : `This failed: ${String(error)}\n`);
    process.exit(1);
  }
}

/** The parts of a process besides the server. Without them, it needs an external database and real services. */
export interface Installation {
  providers?: Providers;
  embedded?: EmbeddedLauncher;
  demo?: DemoData;
}
