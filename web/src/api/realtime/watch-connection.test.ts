import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logout } from '#contract/auth/session.ts';
import { CutOff, serve } from '../../../test/fake-server.ts';
import { endSessionOnServer } from '../call.ts';
import { useConnection } from './connection.ts';
import { watchConnection } from './watch-connection.ts';

let told: string[];
let isOnLine: boolean;
let isThere: boolean;
let stop = () => {};
const probe = vi.fn(async () => {
  if (!isThere) throw new TypeError('Failed to fetch');
  return new Response();
});
const note = ({ type }: Event) => told.push(type);
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  [told, isOnLine, isThere] = [[], true, true];
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
  // The rest of the app has heard it, too.
  window.dispatchEvent(new Event('online'));
});

describe('a request without an answer', () => {
  it('is no news when the service answers', async () => {
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    expect(probe).toHaveBeenCalledOnce();
    expect(told).toEqual([]);
  });

  it('says that there is no connection when it does not, and asks until it does', async () => {
    isThere = false;
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    expect(told).toEqual(['offline']);
    await wait(2000 + 4000 + 5000);
    expect(probe).toHaveBeenCalledTimes(4);
    expect(told).toEqual(['offline']);
    isThere = true;
    await wait(5000);
    expect(told).toEqual(['offline', 'online']);
    await wait(60_000);
    expect(probe).toHaveBeenCalledTimes(5);
  });

  it('is over with the first answer to any other', async () => {
    isThere = false;
    stop = watchConnection();
    useConnection.setState({ isCut: true });
    await wait(0);
    useConnection.setState({ isCut: false });
    expect(told).toEqual(['offline', 'online']);
  });
});

describe('from the start', () => {
  it('asks nothing while nothing points to it', async () => {
    stop = watchConnection();
    await wait(60_000);
    expect(probe).not.toHaveBeenCalled();
  });

  it('asks when the page is the kept one', async () => {
    vi.stubGlobal('performance', {
      ...performance,
      getEntriesByType: () => [{ serverTiming: [{ name: 'kept-page' }] }],
    });
    isThere = false;
    stop = watchConnection();
    await wait(0);
    expect(told).toEqual(['offline']);
  });

  it('asks when the browser knows of no network, and believes the answer', async () => {
    isOnLine = false;
    stop = watchConnection();
    await wait(0);
    expect(probe).toHaveBeenCalledOnce();
    expect(told).toEqual([]);
  });

  it('asks no more once it is stopped', async () => {
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
  it('notes whether it was answered', async () => {
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
