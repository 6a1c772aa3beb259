import type { RealtimeEvent } from '#contract/realtime.ts';
import type { RealtimeSocket } from './realtime-socket.ts';
import { onUserChange, readSession } from '../session/stored-session.ts';

/** How often events are assumed to have been missed while there is no connection. */
const offlinePollMs = 30_000;
/** Two reasons to reload within this time count as one. */
const restMs = 2000;

const eventListeners = new Set<(event: RealtimeEvent) => void>();
const missedListeners = new Set<() => void>();
let holders = 0;
let socket: RealtimeSocket | null = null;
let isConnected = false;
let isOpening = false;
let poll: ReturnType<typeof setInterval> | undefined;
let missedAt = -Infinity;

function notifyMissed(): void {
  if (holders === 0 || readSession().token === null) return;
  missedAt = performance.now();
  missedListeners.forEach((listener) => listener());
}

function onReturn(): void {
  if (document.visibilityState === 'visible' && performance.now() - missedAt > restMs) notifyMissed();
}

function close(): void {
  socket?.close();
  socket = null;
  isConnected = false;
}

async function open(): Promise<void> {
  const isWanted = () => holders > 0 && readSession().token !== null;
  if (socket !== null || isOpening || !isWanted()) return;
  isOpening = true;
  try {
    const { openSocket } = await import('./realtime-socket.ts');
    if (!isWanted()) return;
    socket = openSocket({
      onEvent: (event) => eventListeners.forEach((listener) => listener(event)),
      onConnect: () => {
        isConnected = true;
        notifyMissed();
      },
      onDisconnect: () => {
        isConnected = false;
      },
    });
  } catch {
    // If the socket's code could not be fetched, the poll below tries again.
  } finally {
    isOpening = false;
  }
}

function pollOffline(): void {
  if (isConnected) return;
  void open();
  onReturn();
}

/** Keeps one socket open in this tab while a user is signed in. Returns a function that releases it. */
export function holdRealtime(): () => void {
  holders += 1;
  if (holders === 1) {
    poll = setInterval(pollOffline, offlinePollMs);
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('online', onReturn);
  }
  void open();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders > 0) return;
    clearInterval(poll);
    document.removeEventListener('visibilitychange', onReturn);
    window.removeEventListener('online', onReturn);
    close();
  };
}

/** Calls `listener` with every event from the server. Returns a function that unsubscribes. */
export function onRealtime(listener: (event: RealtimeEvent) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

/**
 * Calls `listener` whenever events may have been missed: after each connect, when the page becomes visible or the
 * network returns, and every 30 s without a connection. Returns a function that unsubscribes.
 */
export function onMissed(listener: () => void): () => void {
  missedListeners.add(listener);
  return () => missedListeners.delete(listener);
}

/** Sends an event to the server if there is a connection; otherwise the event is dropped. */
export function emit(name: string, payload: object): void {
  socket?.emit(name, payload);
}

onUserChange(() => {
  close();
  void open();
});
