import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const reload = vi.fn();

/** A service worker for the version whose page starts with `entry`. */
class Worker extends EventTarget {
  state = 'installing';
  said: string[] = [];
  private readonly entry: string | null;
  constructor(entry: string | null) {
    super();
    this.entry = entry;
  }
  postMessage(said: string, [port]: MessagePort[]) {
    this.said.push(said);
    if (said === 'entry' && this.entry !== null) port?.postMessage(this.entry);
  }
  becomes(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class Registration extends EventTarget {
  installing: Worker | null = null;
  waiting: Worker | null = null;
  active: Worker | null = null;
  update = vi.fn(async () => undefined);
}

class Workers extends EventTarget {
  controller: Worker | null = null;
  registration = new Registration();
  register = vi.fn(async () => this.registration);
  getRegistration = async () => this.registration;
}

let workers: Workers;
const [old, present, next] = ['/assets/index-0.js', '/assets/index-1.js', '/assets/index-2.js'];

/** Loads the module as a new page does. */
async function start() {
  vi.resetModules();
  const module = await import('./new-version.ts');
  await module.watchVersions();
  return { ...module, isOffered: () => module.useNewVersion.getState().isOffered };
}

/** Lets the browser find and install a version. */
function install(worker: Worker) {
  workers.registration.installing = worker;
  workers.registration.dispatchEvent(new Event('updatefound'));
  workers.registration.waiting = worker;
  worker.becomes('installed');
}

function takeOver(worker: Worker) {
  workers.registration.waiting = null;
  workers.registration.active = workers.controller = worker;
  workers.dispatchEvent(new Event('controllerchange'));
}

beforeEach(() => {
  workers = new Workers();
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: workers });
  vi.stubGlobal('location', { ...window.location, reload: reload.mockClear() });
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', present);
  document.head.replaceChildren(script);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

describe('a new version of the app', () => {
  it('is offered when it is ready, and never activated automatically', async () => {
    workers.registration.active = workers.controller = new Worker(present);
    const { isOffered } = await start();
    const worker = new Worker(next);
    install(worker);
    await waitFor(() => expect(isOffered()).toBe(true));
    expect(worker.said).toEqual(['entry']);
    expect(reload).not.toHaveBeenCalled();
  });

  it('is offered if it was already waiting when the page was opened', async () => {
    workers.registration.active = workers.controller = new Worker(present);
    workers.registration.waiting = new Worker(next);
    const { isOffered } = await start();
    await waitFor(() => expect(isOffered()).toBe(true));
  });

  it('is activated on request and reloads the page once', async () => {
    workers.registration.active = workers.controller = new Worker(present);
    const worker = new Worker(next);
    workers.registration.waiting = worker;
    const { isOffered, loadNewVersion } = await start();
    await waitFor(() => expect(isOffered()).toBe(true));
    loadNewVersion();
    expect(worker.said).toEqual(['entry', 'take-over']);
    expect(reload).not.toHaveBeenCalled();
    takeOver(worker);
    expect(reload).toHaveBeenCalledOnce();
    takeOver(worker);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('can be postponed', async () => {
    workers.registration.waiting = new Worker(next);
    const { isOffered, putOffNewVersion } = await start();
    await waitFor(() => expect(isOffered()).toBe(true));
    putOffNewVersion();
    expect(isOffered()).toBe(false);
  });

  it('is offered here after another tab has activated it, and then only needs a reload', async () => {
    workers.registration.active = workers.controller = new Worker(present);
    const { isOffered, loadNewVersion } = await start();
    takeOver(new Worker(next));
    await waitFor(() => expect(isOffered()).toBe(true));
    expect(reload).not.toHaveBeenCalled();
    loadNewVersion();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is activated silently if this page already runs it', async () => {
    workers.registration.active = workers.controller = new Worker(old);
    const { isOffered } = await start();
    const worker = new Worker(present);
    install(worker);
    await waitFor(() => expect(worker.said).toEqual(['entry', 'take-over']));
    takeOver(worker);
    await waitFor(() => expect(worker.said).toEqual(['entry', 'take-over', 'entry']));
    expect(isOffered()).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('the first version of the app', () => {
  it('is activated silently', async () => {
    const { isOffered } = await start();
    const worker = new Worker(present);
    install(worker);
    takeOver(worker);
    await Promise.resolve();
    expect(worker.said).toEqual([]);
    expect(isOffered()).toBe(false);
  });
});

describe('a page that stays open', () => {
  it('checks for a new version every hour while it is visible', async () => {
    vi.useFakeTimers();
    workers.registration.active = workers.controller = new Worker(present);
    await start();
    await vi.advanceTimersByTimeAsync(59 * 60_000);
    expect(workers.registration.update).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(workers.registration.update).toHaveBeenCalledOnce();
  });

  it('works without a service worker', async () => {
    workers.register.mockRejectedValue(new Error('not here'));
    await expect(start()).rejects.toThrow();
    workers.getRegistration = async () => undefined as never;
    workers.register.mockResolvedValue(undefined as never);
    await expect(start()).resolves.toBeDefined();
  });
});
