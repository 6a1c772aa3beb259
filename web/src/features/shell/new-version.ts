import { create } from 'zustand';
import type { Said } from '../../../worker/agreement.ts';

const hourMs = 3_600_000;
/** If a service worker does not answer within this time, its version is unknown. */
const answerWithinMs = 3000;
const takeOverWithinMs = 3000;

/** Whether a newer version is available and has not been postponed. */
export const useNewVersion = create<{ isOffered: boolean }>()(() => ({ isOffered: false }));

let registration: ServiceWorkerRegistration | undefined;

const say = (worker: ServiceWorker, said: Said, ports: MessagePort[] = []) => worker.postMessage(said, ports);

/** The entry script of a service worker's version; null if it does not answer. */
function entryOf(worker: ServiceWorker): Promise<string | null> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(String(data));
    setTimeout(resolve, answerWithinMs, null);
    say(worker, 'entry', [port2]);
  });
}

/** The entry script of this page. React's script comes before it. */
const ownEntry = () => document.querySelector('script[src*=index-]')?.getAttribute('src');

/**
 * Checks a version that is waiting or has just taken over in another tab. A page that came from the network may already
 * have that version; then it is activated silently.
 */
async function look(worker: ServiceWorker | null): Promise<void> {
  if (worker === null) return;
  const entry = await entryOf(worker);
  if (entry === null) return;
  const isNewer = entry !== ownEntry();
  if (isNewer) useNewVersion.setState({ isOffered: true });
  else if (worker === registration?.waiting) say(worker, 'take-over');
}

/** Keeps the service worker up to date and detects versions newer than this page. */
export async function watchVersions(): Promise<void> {
  const workers = navigator.serviceWorker;
  let hasController = workers.controller !== null;
  await workers.register('/sw.js');
  registration = await workers.getRegistration();
  if (registration === undefined) return;
  const known = registration;
  let askedAt = performance.now();

  function lookAtNext() {
    const worker = known.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && known.active !== null) void look(worker);
    });
  }

  function askNow() {
    if (document.visibilityState !== 'visible' || performance.now() - askedAt < hourMs) return;
    askedAt = performance.now();
    void known.update().catch(() => undefined);
  }

  workers.addEventListener('controllerchange', () => {
    // The first service worker does not replace another one.
    if (hasController) void look(workers.controller);
    hasController = true;
  });
  known.addEventListener('updatefound', lookAtNext);
  document.addEventListener('visibilitychange', askNow);
  setInterval(askNow, hourMs / 4);
  lookAtNext();
  void look(known.waiting);
}

/** Activates the new version and reloads the page. Other tabs do not change. */
export function loadNewVersion(): void {
  const reload = () => window.location.reload();
  const waiting = registration?.waiting ?? null;
  if (waiting === null) return reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  setTimeout(reload, takeOverWithinMs);
  say(waiting, 'take-over');
}

/** Postpones the new version until the next visit. */
export function putOffNewVersion(): void {
  useNewVersion.setState({ isOffered: false });
}
