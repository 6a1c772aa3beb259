import type { RealtimeEvent } from '#contract/realtime.ts';
import type { Line } from './realtime-line.ts';
import { onSessionChange, readSession } from '../session/stored-session.ts';

/** So often those who may have missed something ask, as long as there is no line. */
const unheardMs = 30_000;
/** Whoever has just asked need not ask again. */
const restMs = 2000;

const events = new Set<(event: RealtimeEvent) => void>();
const misses = new Set<() => void>();
let holders = 0;
let line: Line | null = null;
let isConnected = false;
let isOpening = false;
let owner = readSession().user?._id;
let unheard: ReturnType<typeof setInterval> | undefined;
let toldAt = -Infinity;

const tell = (event: RealtimeEvent) => events.forEach((listener) => listener(event));

function tellMissed(): void {
  if (holders === 0 || readSession().token === null) return;
  toldAt = performance.now();
  misses.forEach((listener) => listener());
}

function isBack(): void {
  if (document.visibilityState === 'visible' && performance.now() - toldAt > restMs) tellMissed();
}

function close(): void {
  line?.close();
  line = null;
  isConnected = false;
}

async function open(): Promise<void> {
  const isWanted = () => holders > 0 && readSession().token !== null;
  if (line !== null || isOpening || !isWanted()) return;
  isOpening = true;
  try {
    const { openLine } = await import('./realtime-line.ts');
    if (!isWanted()) return;
    line = openLine({
      onEvent: tell,
      onConnect: () => {
        isConnected = true;
        tellMissed();
      },
      onCut: () => {
        isConnected = false;
      },
    });
  } catch {
    // Its code could not be fetched: whoever asks without a line asks for it, too.
  } finally {
    isOpening = false;
  }
}

function askUnheard(): void {
  if (isConnected) return;
  void open();
  isBack();
}

/** Keeps this tab's one socket open, and opened anew, for as long as somebody is signed in; returns how to let go of it. */
export function holdRealtime(): () => void {
  holders += 1;
  if (holders === 1) {
    unheard = setInterval(askUnheard, unheardMs);
    document.addEventListener('visibilitychange', isBack);
    window.addEventListener('online', isBack);
  }
  void open();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders > 0) return;
    clearInterval(unheard);
    document.removeEventListener('visibilitychange', isBack);
    window.removeEventListener('online', isBack);
    close();
  };
}

/** Calls `listener` with everything the server tells, and with what this tab did itself; returns how to stop it. */
export function onRealtime(listener: (event: RealtimeEvent) => void): () => void {
  events.add(listener);
  return () => events.delete(listener);
}

/**
 * Calls `listener` whenever something may have been missed: after each connecting, when the page comes back into view or the
 * network is there again, and every so often while there is no line; returns how to stop it.
 */
export function onMissed(listener: () => void): () => void {
  misses.add(listener);
  return () => misses.delete(listener);
}

/** Tells this tab's own screens what it has just done, in the words the server would use. */
export function tellOwn(event: RealtimeEvent): void {
  tell(event);
}

/** Says something to the server that is worth nothing later. */
export function say(name: string, said: object): void {
  line?.say(name, said);
}

onSessionChange(({ token, user }) => {
  if (token !== null && user?._id === owner) return;
  owner = user?._id;
  close();
  void open();
});
