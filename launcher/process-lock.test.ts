import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockHolder, takeLock } from './process-lock.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heartwood-lock-'));
  file = join(folder, 'a.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const lockModule = resolve(import.meta.dirname, 'process-lock.ts');

/** Runs in separate process and network namespaces, as in a container; as an ordinary process where that isn't allowed. */
const container = ['unshare', '--map-root-user', '--fork', '--kill-child', '--pid', '--mount-proc', '--net'];
const isContainerAllowed = spawnSync(container[0] ?? '', [...container.slice(1), 'true']).status === 0;

/** Another process that takes the lock and keeps it until it is killed. */
async function holdElsewhere(around: readonly string[]): Promise<ChildProcess> {
  const script = `
    const { takeLock } = await import(${JSON.stringify(lockModule)});
    takeLock(${JSON.stringify(file)}, 'elsewhere');
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const [command = '', ...args] = [...around, process.execPath, '--input-type=module', '--eval', script];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

describe('the lock on a file', () => {
  it('has one holder at a time, which identifies itself', () => {
    expect(lockHolder(file)).toBeNull();
    const first = takeLock(file, 'http://localhost:3000');
    expect(first.heldBy).toBeNull();
    const second = takeLock(file, 'another');
    expect(second.heldBy).toEqual({ pid: process.pid, name: 'http://localhost:3000' });
    first.release();
    expect(lockHolder(file)).toBeNull();
    const third = takeLock(file, 'another');
    expect(third.heldBy).toBeNull();
    third.release();
  });

  it.each([
    ['another process', []],
    ['a process in another container', isContainerAllowed ? container : []],
  ])('is kept by %s and free as soon as the holder is killed', async (_who, around) => {
    const child = await holdElsewhere(around);
    expect(lockHolder(file)?.name).toBe('elsewhere');
    expect(takeLock(file, 'here').heldBy?.name).toBe('elsewhere');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => takeLock(file, 'here').heldBy).toBeNull();
    expect(lockHolder(file)).toEqual({ pid: process.pid, name: 'here' });
  });

  it('does not affect other locks', () => {
    const one = takeLock(file, 'one');
    const other = takeLock(join(folder, 'other.lock'), 'other');
    expect([one.heldBy, other.heldBy]).toEqual([null, null]);
    one.release();
    other.release();
  });
});
