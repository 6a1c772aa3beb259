import { describe, expect, it } from 'vitest';
import { inOrder } from './in-order.ts';

/** Tasks that say when they begin and end only when told to. */
function heldTasks() {
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const task = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => endings.set(name, resolve));
  };
  const end = async (name: string) => {
    endings.get(name)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { begun, task, end };
}

describe('what is done in order', () => {
  it('begins when what came before has ended', async () => {
    const { begun, task, end } = heldTasks();
    const counts: number[] = [];
    const line = inOrder((count) => counts.push(count));
    for (const name of ['one', 'two', 'three']) line.add(task(name), true);
    expect(begun).toEqual(['one']);
    await end('one');
    expect(begun).toEqual(['one', 'two']);
    await end('two');
    await end('three');
    expect(counts).toEqual([1, 2, 3, 2, 1, 0]);
  });

  it('can be taken back until it has begun', async () => {
    const { begun, task, end } = heldTasks();
    const line = inOrder(() => undefined);
    const first = line.add(task('one'), true);
    const second = line.add(task('two'), true);
    expect(line.drop(first)).toBe(false);
    expect(line.drop(second)).toBe(true);
    await end('one');
    expect(begun).toEqual(['one']);
  });

  it('begins at once when there is no later, as far as its order does not matter', async () => {
    const { begun, task, end } = heldTasks();
    const line = inOrder(() => undefined);
    line.add(task('one'), true);
    line.add(task('two'), true);
    line.add(task('undo'), false);
    line.hurry();
    expect(begun).toEqual(['one', 'two']);
    line.hurry();
    await end('two');
    expect(begun).toEqual(['one', 'two']);
    await end('one');
    expect(begun).toEqual(['one', 'two', 'undo']);
  });

  it('is forgotten as far as it has not begun', async () => {
    const { begun, task, end } = heldTasks();
    let left = -1;
    const line = inOrder((count) => (left = count));
    line.add(task('one'), true);
    line.add(task('two'), true);
    line.clear();
    expect(left).toBe(1);
    await end('one');
    expect(begun).toEqual(['one']);
    expect(left).toBe(0);
  });
});
