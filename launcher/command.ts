import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '..');

export interface CommandEnd {
  code: number;
  /** Standard output and error in order; empty if they went to the terminal. */
  output: string;
}

export interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  /** Returns the output instead of printing it. */
  quiet?: boolean;
  timeoutMs?: number;
}

/** Runs a package's program under this Node, in the project's folder. */
export async function runPackage(program: string, args: string[], options: CommandOptions = {}): Promise<CommandEnd> {
  return await runCommand(process.execPath, [join(projectRoot, 'node_modules', program), ...args], options);
}

/** Runs any program in the project's folder; exits with 127 if it cannot be run. */
export async function runCommand(command: string, args: string[], options: CommandOptions = {}): Promise<CommandEnd> {
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.quiet ? 'pipe' : 'inherit', options.quiet ? 'pipe' : 'inherit'],
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return await new Promise((done) => {
    child.on('error', (error) => {
      done({ code: 127, output: error.message });
    });
    child.on('close', (code) => {
      done({ code: code ?? 1, output });
    });
  });
}
