import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tab of an engine. Elements are found by XPath; what isn't there yet, or not pressable, throws. */
export interface EnginePage {
  goto(url: string): Promise<void>;
  /** The value of a JavaScript expression, which may be a promise. */
  evaluate<T>(expression: string): Promise<T>;
  has(xpath: string): Promise<boolean>;
  click(xpath: string): Promise<void>;
  /** Drags an element to the side with the mouse, and releases it. */
  drag(xpath: string, px: number): Promise<void>;
  /** Resizes the page. */
  resize(width: number, height: number): Promise<void>;
  type(xpath: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** The mouse actions that drag an element to the side, in the form of WebDriver; `origin` is the element. */
export const dragSteps = (origin: unknown, px: number): object[] => [
  { type: 'pointerMove', x: 0, y: 0, origin },
  { type: 'pointerDown', button: 0 },
  ...Array.from({ length: 8 }, () => ({ type: 'pointerMove', x: px / 8, y: 0, origin: 'pointer', duration: 20 })),
  { type: 'pointerUp', button: 0 },
];

/** A program with a home folder of its own, so that nothing stored survives it. */
export interface Program {
  process: ChildProcess;
  /** Ends the program and all programs it started. */
  end(): Promise<void>;
}

/** A new folder for a browser's profile and the sockets of its services. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'heartwood-engine-'));
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  return home;
}

/** Starts a program that keeps everything in `home`; the fourth of its streams is readable. */
export function startProgram(command: string, args: string[], home: string, env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), LANG: 'C.UTF-8', ...env },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    process: child,
    end: async () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** The part of a program's output that `pattern` captures, once it has been written. */
export async function written(program: Program, stream: 2 | 3, pattern: RegExp): Promise<string> {
  let text = '';
  return await new Promise((resolve, reject) => {
    program.process.stdio[stream]?.on('data', (part: Buffer) => {
      text += part.toString();
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    program.process.once('error', reject);
    program.process.once('exit', () => reject(new Error(`It ended early: ${text}`)));
  });
}
