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

export interface RealtimeSocket {
  /** Sends an event if there is a connection; otherwise the event is dropped. */
  emit: (name: string, payload: object) => void;
  close: () => void;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
/** A connection that lasted at least this long resets the delays between tries. */
const heldMs = 5000;

/**
 * Opens the socket with the stored token. socket.io reconnects on its own after a lost connection. If the server has
 * closed or refused the connection, it is opened again here, with a new token if the old one was refused.
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
    // The first try is delayed too, because a server process that stops disconnects everyone at once.
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (refusals - 1));
    refusals += 1;
    timer = setTimeout(() => socket.connect(), pause * (0.5 + Math.random()));
  }

  async function renewAndReconnect(): Promise<void> {
    try {
      const isOwnToken = usedToken !== null && usedToken === readSession().token;
      if (isOwnToken && usedToken !== null && (await renewSession(usedToken)) === null) return;
    } catch {
      // The state of the session is unknown without an answer; the next try requests a token again.
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
  // Events are not validated, just like answers: otherwise every page would have to load the schemas.
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
