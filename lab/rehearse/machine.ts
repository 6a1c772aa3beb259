import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../../launcher/command.ts';

/** The machine that everything except the database's nodes runs on, as the nodes see it. */
export const hostAddress = '10.77.0.1';
export const nodeNetwork = '10.77.0.0/24';
/** Runs programs that refuse to run as root. */
export const databaseUser = 'postgres';

/** A machine of its own for one database node: an address, and a network cable that can be pulled. */
export interface Machine {
  name: string;
  address: string;
}

export const machines: Machine[] = [1, 2, 3].map((number) => ({
  name: `node${number}`,
  address: `10.77.0.${10 + number}`,
}));

/** Runs a command; throws with its output if it fails. */
export async function must(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand(command, args, { quiet: true });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${output}`);
  return output;
}

/** Connects the machines to a switch. Call this in a network of its own. */
export async function buildNetwork(): Promise<void> {
  const perMachine = machines.flatMap(({ name, address }) => [
    `ip netns add ${name}`,
    `ip link add ${name} type veth peer name eth0 netns ${name}`,
    `ip link set ${name} master switch up`,
    `ip -n ${name} addr add ${address}/24 dev eth0`,
    `ip -n ${name} link set eth0 up`,
    `ip -n ${name} link set lo up`,
  ]);
  const commands = [
    'mkdir -p /run/netns',
    'mount -t tmpfs tmpfs /run/netns',
    'ip link set lo up',
    'ip link add switch type bridge',
    `ip addr add ${hostAddress}/24 dev switch`,
    'ip link set switch up',
    ...perMachine,
  ];
  await must('sh', '-ec', commands.join('\n'));
}

/** Pulls or plugs in the network cable of a machine: nothing reaches it, and nothing leaves it. */
export async function setCable({ name }: Machine, plugged: boolean): Promise<void> {
  await must('ip', 'link', 'set', name, plugged ? 'up' : 'down');
}

/** Drops everything that the services send to a machine, while the machines still reach each other; or stops dropping it. */
export async function setRoute({ address }: Machine, open: boolean): Promise<void> {
  await must('ip', 'route', open ? 'del' : 'add', 'blackhole', `${address}/32`);
}

/** A program that can be killed and started again. */
export interface Program {
  start(): void;
  /** Ends it and returns when it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  isUp(): boolean;
}

/** A program on `machine`, or alongside the services without one, as the database's user; its output goes to `folder`. */
export function createProgram(
  folder: string,
  name: string,
  command: string[],
  { machine, asRoot = false }: { machine?: Machine; asRoot?: boolean } = {},
): Program {
  const where = machine === undefined ? [] : ['nsenter', `--net=/run/netns/${machine.name}`];
  const user = ['setpriv', `--reuid=${databaseUser}`, `--regid=${databaseUser}`, '--clear-groups'];
  const [first = '', ...rest] = [...where, ...(asRoot ? [] : user), ...command];
  let child: ChildProcess | null = null;
  const isUp = () => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = spawn(first, rest, { cwd: folder, stdio: ['ignore', log, log] });
      closeSync(log);
    },
    async kill(signal = 'SIGKILL') {
      if (child === null || !isUp()) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    isUp,
  };
}

/** Waits until `condition` holds; throws after `withinMs`, naming what was waited for. */
export async function until(what: string, condition: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; ; await pause(200)) {
    if (await condition().catch(() => false)) return;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1000} s`);
  }
}
