import { setTimeout as pause } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { listMessages, sendMessage, type MessageView } from '#contract/messages.ts';
import { realtimeEventSchema, realtimePath } from '#contract/realtime.ts';
import { emptyHistory, withMessages, type History } from '../../web/src/api/realtime/message-history.ts';
import { bodyOf, call } from './http.ts';

/** A device in one conversation: it receives hints over its socket and loads what it missed after each reconnect. */
export interface ChatDevice {
  /** The messages received so far, in order, up to the first gap. */
  texts(): string[];
  /** Retries one message under one key until acknowledged, across broken connections; returns how often it was sent. */
  write(text: string): Promise<number>;
  /** Loads missing messages until there are none. */
  catchUp(): Promise<void>;
  /** Whether its socket is connected now. */
  isConnected(): boolean;
  close(): void;
}

const pauseMs = 100;
const pageSize = 100;

/** Opens a device of the holder of `token` in a conversation. */
export function openDevice(origin: string, token: string, id: string): ChatDevice {
  let history: History = emptyHistory;
  let isClosed = false;

  const gapFrom = () => {
    let seq = 1;
    while (history.messages.has(seq)) seq += 1;
    return seq;
  };
  const take = (messages: MessageView[], lastSeq = 0) => {
    history = withMessages(history, messages, lastSeq);
  };

  async function catchUp(): Promise<void> {
    while (!isClosed) {
      const after = String(gapFrom() - 1);
      const options = { token, params: { id }, query: { after, limit: String(pageSize) } };
      const answer = bodyOf(listMessages, await call(origin, listMessages, options));
      if (answer === null) {
        await pause(pauseMs);
        continue;
      }
      take(answer.data.messages, answer.data.lastSeq);
      if (!answer.data.hasMore) return;
    }
  }

  const socket = io(origin, {
    path: realtimePath,
    transports: ['websocket'],
    auth: { token },
    reconnectionDelay: pauseMs,
    reconnectionDelayMax: 1000,
    forceNew: true,
  });
  socket.on('connect', () => void catchUp());
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect' && !isClosed) socket.connect();
  });
  socket.on('event', (payload: unknown) => {
    const event = realtimeEventSchema.parse(payload);
    if (event.kind !== 'message' || event.matchId !== id) return;
    take([event.message]);
    if (gapFrom() <= history.lastSeq) void catchUp();
  });

  return {
    texts() {
      const texts: string[] = [];
      for (let seq = 1; history.messages.has(seq); seq += 1) texts.push(history.messages.get(seq)?.text ?? '');
      return texts;
    },
    async write(text) {
      for (let sent = 1; ; sent += 1) {
        const body = { clientId: text.replaceAll(' ', '-').padEnd(8, '-'), text };
        const answer = bodyOf(sendMessage, await call(origin, sendMessage, { token, params: { id }, body }));
        if (answer !== null) {
          take([answer.data.message]);
          return sent;
        }
        await pause(pauseMs);
      }
    },
    catchUp,
    isConnected: () => socket.connected,
    close() {
      isClosed = true;
      socket.disconnect();
    },
  };
}
