import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { connectSocket, isSocketOpen, receiveOverSocket } from '../../../test/test-socket.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { holdRealtime, onMissed, onRealtime } from './realtime.ts';
import { clearSession, keepSession } from '../session/stored-session.ts';

const stops: (() => void)[] = [];
const event: RealtimeEvent = { kind: 'typing', matchId: 'match-bo' };
const signIn = (id = 'ada') => keepSession({ token: `token-${id}`, user: ownUser({ _id: id }) });
const opened = () => waitFor(() => expect(isSocketOpen()).toBe(true));

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

describe('the realtime connection', () => {
  it('is open while it is in use and a user is signed in', async () => {
    stops.push(holdRealtime());
    expect(isSocketOpen()).toBe(false);
    signIn();
    await opened();
    const release = holdRealtime();
    release();
    release();
    expect(isSocketOpen()).toBe(true);
    stops.pop()?.();
    expect(isSocketOpen()).toBe(false);
  });

  it('is closed when the session ends and opened again for another user', async () => {
    signIn();
    stops.push(holdRealtime());
    await opened();
    clearSession('signedOut');
    expect(isSocketOpen()).toBe(false);
    signIn('bo');
    await opened();
  });

  it('reports events, and also when some may have been missed', async () => {
    const heard = vi.fn();
    const missed = vi.fn();
    signIn();
    stops.push(holdRealtime(), onRealtime(heard), onMissed(missed));
    await connectSocket();
    expect(missed).toHaveBeenCalledTimes(1);
    await receiveOverSocket(event);
    expect(heard.mock.calls).toEqual([[event]]);
    await connectSocket();
    expect(missed).toHaveBeenCalledTimes(2);
  });

  it('reports possibly missed events every 30 s without a connection', async () => {
    // Simulated timers would restart the clock that the module compares with, so it continues here.
    const realMs = performance.now();
    vi.useFakeTimers();
    const startedAt = Date.now();
    vi.spyOn(performance, 'now').mockImplementation(() => realMs + Date.now() - startedAt);
    const missed = vi.fn();
    signIn();
    stops.push(holdRealtime(), onMissed(missed));
    await vi.advanceTimersByTimeAsync(61_000);
    expect(missed).toHaveBeenCalledTimes(2);
  });
});
