import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refreshToken } from '#contract/auth/session.ts';
import { CutOff, failWith, RawAnswer, received, serve } from '../../../test/fake-server.ts';
import type * as RealtimeSocketModule from './realtime-socket.ts';
import { keepSession, readSession } from '../session/stored-session.ts';

type Handler = (payload: unknown) => void;

/** The parts of the library's socket that our code uses. */
const socket = vi.hoisted(() => ({
  handlers: new Map<string, Handler>(),
  options: { auth: (_give: (auth: { token: string | null }) => void) => {} },
  active: false,
  connected: false,
  connect: () => {},
  disconnect: () => {},
  on(name: string, handler: Handler) {
    this.handlers.set(name, handler);
  },
}));

vi.mock('socket.io-client', () => ({
  io: (_origin: string, options: typeof socket.options) => {
    socket.options = options;
    return socket;
  },
}));

const { openSocket } = await vi.importActual<typeof RealtimeSocketModule>('./realtime-socket.ts');

const happens = (name: string, payload?: unknown) => socket.handlers.get(name)?.(payload);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Requests the token, as the library does each time it connects. */
function shownToken(): string | null {
  let shown: string | null = null;
  socket.options.auth(({ token }) => {
    shown = token;
  });
  return shown;
}

describe('openSocket', () => {
  const listeners = { onEvent: vi.fn(), onConnect: vi.fn(), onDisconnect: vi.fn() };
  let tries = vi.fn();

  beforeEach(() => {
    vi.useFakeTimers();
    vi.clearAllMocks();
    tries = vi.fn();
    socket.connect = tries;
    keepSession({ token: 'token-1', refreshToken: 'refresh-1' });
    serve(refreshToken, () => ({ data: { token: 'token-2', refreshToken: 'refresh-2' } }));
    openSocket(listeners);
  });
  afterEach(() => vi.useRealTimers());

  it('sends the current token and passes on events', () => {
    expect(shownToken()).toBe('token-1');
    happens('event', { kind: 'typing', matchId: 'match-bo' });
    expect(listeners.onEvent.mock.calls).toEqual([[{ kind: 'typing', matchId: 'match-bo' }]]);
  });

  it('reconnects with its token at a random time after the server has disconnected everyone', async () => {
    happens('connect');
    happens('disconnect', 'io server disconnect');
    await pass(240);
    expect(tries).not.toHaveBeenCalled();
    await pass(520);
    expect(tries).toHaveBeenCalledTimes(1);
    expect(received(refreshToken)).toEqual([]);
    expect([listeners.onConnect.mock.calls.length, listeners.onDisconnect.mock.calls.length]).toEqual([1, 1]);
  });

  it('renews a refused token before it reconnects, with growing delays', async () => {
    shownToken();
    happens('connect_error', new Error('unauthorized'));
    await pass(760);
    expect([tries.mock.calls.length, shownToken()]).toEqual([1, 'token-2']);
    happens('connect_error', new Error('unavailable'));
    await pass(400);
    expect(tries).toHaveBeenCalledTimes(1);
    await pass(1200);
    expect(tries).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['no answer', new CutOff()],
    ['a 429', new RawAnswer(429, '')],
    ['a 404 of a gateway', new RawAnswer(404, '<html>Not found</html>')],
  ])(
    'tries again after %s to the renewal, and ends the session only when the renewal is refused',
    async (_name, answer) => {
      shownToken();
      failWith(refreshToken, answer);
      happens('connect_error', new Error('unauthorized'));
      await pass(800);
      expect([tries.mock.calls.length, readSession().token]).toEqual([1, 'token-1']);
      keepSession({ token: 'token-3' });
      localStorage.removeItem('refreshToken');
      shownToken();
      happens('connect_error', new Error('unauthorized'));
      await pass(5000);
      expect([tries.mock.calls.length, readSession().token]).toEqual([1, null]);
    },
  );

  it('lets the library reconnect after a lost connection', async () => {
    socket.active = true;
    happens('connect_error', new Error('xhr poll error'));
    happens('disconnect', 'transport close');
    await pass(60_000);
    socket.active = false;
    expect(tries).not.toHaveBeenCalled();
  });
});
