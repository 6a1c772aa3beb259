import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logout } from '#contract/auth/session.ts';
import { CutOff, serve } from '../../../test/fake-server.ts';
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

describe('a request without an answer', () => {
  it('changes nothing when the service responds', async () => {
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    expect(probe).toHaveBeenCalledOnce();
    expect(dispatched).toEqual([]);
  });

  it('reports a missing connection, and polls until it is back', async () => {
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

  it('is forgotten with the first answer to any other request', async () => {
    isThere = false;
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    useConnection.setState({ isCut: false });
    expect(dispatched).toEqual(['offline', 'online']);
  });
});

describe('at the start', () => {
  it('polls nothing without a sign of trouble', async () => {
    stop = watchConnection();
    await wait(60_000);
    expect(probe).not.toHaveBeenCalled();
  });

  it('polls when the page came from the cache', async () => {
    vi.stubGlobal('performance', {
      ...performance,
      getEntriesByType: () => [{ serverTiming: [{ name: 'kept-page' }] }],
    });
    isThere = false;
    stop = watchConnection();
    await wait(0);
    expect(dispatched).toEqual(['offline']);
  });

  it('polls when the browser is offline, and trusts the answer', async () => {
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

describe('every call', () => {
  it('records whether it was answered', async () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    serve(logout, () => {
      throw new CutOff();
    });
    await endSessionOnServer({ token: 't', refreshToken: null });
    expect(useConnection.getState().isCut).toBe(true);
    serve(logout, () => ({ data: {} }));
    await endSessionOnServer({ token: 't', refreshToken: null });
    expect(useConnection.getState().isCut).toBe(false);
  });
});
