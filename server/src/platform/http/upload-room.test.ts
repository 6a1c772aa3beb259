import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stalledAfterMs, uploadRoom, whileArriving } from './upload-room.ts';

describe('the memory for uploads', () => {
  const full = expect.objectContaining({ code: 'UNAVAILABLE' }) as Error;

  it('is taken up by what has arrived, and freed when the upload ends', () => {
    const room = uploadRoom();
    const [ada, bo] = [room.enter('ada', 'one'), room.enter('bo', 'another')];
    ada.take(60e6);
    bo.take(40e6);
    const cy = room.enter('cy', 'a third');
    expect(() => cy.take(1)).toThrow(full);
    bo.leave();
    cy.take(1);
  });

  it('can never be taken up by one network alone', () => {
    const room = uploadRoom();
    room.enter('ada', 'one').take(60e6);
    expect(() => room.enter('bo', 'one').take(1)).toThrow(full);
    room.enter('cy', 'another').take(1);
  });

  it('allows four uploads per member', () => {
    const room = uploadRoom();
    const [first] = ['one', 'one', 'one', 'another'].map((network) => room.enter('ada', network));
    const refused = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }) as Error;
    expect(() => room.enter('ada', 'a third')).toThrow(refused);
    room.enter('bo', 'one');
    first?.leave();
    room.enter('ada', 'one');
  });
});

describe('an upload that arrives', () => {
  afterEach(() => void vi.useRealTimers());

  it('slowly is read as long as data arrives, and refused once nothing arrives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const body = new PassThrough();
    const taken: number[] = [];
    const outcome = whileArriving(
      body,
      (bytes) => taken.push(bytes),
      () => new Promise(() => undefined),
    ).catch((error: unknown) => error);
    for (const chunk of ['a', 'bc', 'def']) {
      const arrived = new Promise((resolve) => void body.once('data', resolve));
      vi.advanceTimersByTime(stalledAfterMs - 1);
      body.write(chunk);
      await arrived;
    }
    expect(taken).toEqual([1, 2, 3]);
    vi.advanceTimersByTime(stalledAfterMs);
    expect(await outcome).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });
});
