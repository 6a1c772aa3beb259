import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logout } from '#contract/auth/session.ts';
import { CutOff, failWith, serve } from '../../../test/fake-server.ts';
import { endSessionOnServer } from '../call.ts';
import { useConnection } from '../request.ts';
import { watchConnection } from './watch-connection.ts';

let dispatched: string[];
let isOnLine: boolean;
let isThere: boolean;
let stop = () => {};
const probe = vi.fn(async () => {
  if (!isThere) throw new TypeError('Failed to fetch');
  return new Response();
});
const note = ({ type }: Event) => dispatched.push(type);
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  [dispatched, isOnLine, isThere] = [[], true, true];
  vi.stubGlobal('fetch', probe.mockClear());
  vi.stubGlobal('navigator', {
    get onLine() {
      return isOnLine;
    },
  });
  vi.stubGlobal('performance', { ...performance, now: () => Date.now(), getEntriesByType: () => [] });
  for (const type of ['offline', 'online']) window.addEventListener(type, note);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const type of ['offline', 'online']) window.removeEventListener(type, note);
  useConnection.setState({ isCut: false });
  // This event reached the rest of the app as well.
  window.dispatchEvent(new Event('online'));
});

describe('a request that gets no answer', () => {
  it('changes nothing if the service can be reached', async () => {
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    expect(probe).toHaveBeenCalledOnce();
    expect(dispatched).toEqual([]);
  });

  it('makes the app report a missing connection and poll until it is back', async () => {
    isThere = false;
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    expect(dispatched).toEqual(['offline']);
    await wait(2000 + 4000 + 5000);
    expect(probe).toHaveBeenCalledTimes(4);
    expect(dispatched).toEqual(['offline']);
    isThere = true;
    await wait(5000);
    expect(dispatched).toEqual(['offline', 'online']);
    await wait(60_000);
    expect(probe).toHaveBeenCalledTimes(5);
  });

  it('has no effect after any other request has been answered', async () => {
    isThere = false;
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    useConnection.setState({ isCut: false });
    expect(dispatched).toEqual(['offline', 'online']);
  });
});

describe('watchConnection at the start', () => {
  it('does not poll if nothing indicates a problem', async () => {
    stop = watchConnection();
    await wait(60_000);
    expect(probe).not.toHaveBeenCalled();
  });

  it('polls if the page came from the cache', async () => {
    vi.stubGlobal('performance', {
      ...performance,
      getEntriesByType: () => [{ serverTiming: [{ name: 'kept-page' }] }],
    });
    isThere = false;
    stop = watchConnection();
    await wait(0);
    expect(dispatched).toEqual(['offline']);
  });

  it("polls if the browser says it is offline, and trusts the service's answer", async () => {
    isOnLine = false;
    stop = watchConnection();
    await wait(0);
    expect(probe).toHaveBeenCalledOnce();
    expect(dispatched).toEqual([]);
  });

  it('stops polling on request', async () => {
    isThere = false;
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    stop();
    await wait(60_000);
    expect(probe).toHaveBeenCalledOnce();
  });
});

describe('call', () => {
  it('records whether the request was answered', async () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    failWith(logout, new CutOff());
    await endSessionOnServer({ token: 't', refreshToken: null });
    expect(useConnection.getState().isCut).toBe(true);
    serve(logout, () => ({ data: {} }));
    await endSessionOnServer({ token: 't', refreshToken: null });
    expect(useConnection.getState().isCut).toBe(false);
  });
});
