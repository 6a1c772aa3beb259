import { io } from 'socket.io-client';
import { type RealtimeEvent, realtimePath } from '#contract/realtime.ts';
import { renewSession } from '../call.ts';
import { apiBase } from '../request.ts';
import { readSession } from '../session/stored-session.ts';

interface SocketListeners {
  onEvent: (event: RealtimeEvent) => void;
  onConnect: () => void;
  onDisconnect: () => void;
}

/** The open socket of this tab. */
export interface RealtimeSocket {
  /** Sends an event if connected; it is not kept for later. */
  emit: (name: string, payload: object) => void;
  close: () => void;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
/** A connection that lasted this long resets the pauses. */
const heldMs = 5000;

/**
 * Opens the socket with the stored token. socket.io reconnects on its own after a lost connection. If the server closed or refused
 * the connection, it is opened again here, with a renewed token if the used one was refused.
 */
export function openSocket({ onEvent, onConnect, onDisconnect }: SocketListeners): RealtimeSocket {
  let usedToken: string | null = null;
  let connectedAt = 0;
  let refusals = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const socket = io(new URL(apiBase(), window.location.href).origin, {
    path: realtimePath,
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: firstPauseMs,
    reconnectionDelayMax: longestPauseMs,
    auth: (give) => {
      usedToken = readSession().token;
      give({ token: usedToken });
    },
  });

  function reconnect(): void {
    if (isClosed) return;
    // Also the first time: a process that stops disconnects everyone at once.
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (refusals - 1));
    refusals += 1;
    timer = setTimeout(() => socket.connect(), pause * (0.5 + Math.random()));
  }

  async function renewAndReconnect(): Promise<void> {
    try {
      const isOwnToken = usedToken !== null && usedToken === readSession().token;
      if (isOwnToken && usedToken !== null && (await renewSession(usedToken)) === null) return;
    } catch {
      // Without an answer nothing is known about the session; the next try asks again.
    }
    reconnect();
  }

  socket.on('connect', () => {
    connectedAt = performance.now();
    onConnect();
  });
  socket.on('disconnect', (reason) => {
    onDisconnect();
    if (performance.now() - connectedAt > heldMs) refusals = 0;
    if (reason === 'io server disconnect') reconnect();
  });
  socket.on('connect_error', (error) => {
    if (socket.active) return;
    if (error.message === 'unauthorized') void renewAndReconnect();
    else reconnect();
  });
  // As the server's answers, its events are not checked: the schemas would be loaded on every page for nothing else.
  socket.on('event', onEvent);

  return {
    emit: (name, payload) => void (socket.connected && socket.volatile.emit(name, payload)),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      socket.disconnect();
    },
  };
}
