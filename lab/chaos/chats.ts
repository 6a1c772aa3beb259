import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { io } from 'socket.io-client';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import { listMessages, type MessageView, sendMessage } from '#contract/messages/messages.ts';
import { realtimeEventSchema, realtimePath } from '#contract/realtime.ts';
import { draw, formOf } from '../../server/test/pictures.ts';
import { bodyOf, call } from '../../server/test/proofs/http.ts';
import { findMembers, matchNeighbours, signIn } from '../product.ts';

const pauseMs = 100;
const pageSize = 100;

/** A device in one conversation: it receives messages over its socket and loads what it missed after each reconnect. */
export interface ChatDevice {
  /** The messages received so far, in order, up to the first gap. */
  texts(): string[];
  /**
   * Retries one message under one key until it is acknowledged, across broken connections, with a photo that is uploaded in the same way;
   * returns the number of attempts.
   */
  write(text: string, hasPhoto?: boolean): Promise<number>;
  /** Loads missing messages until there are none. */
  catchUp(): Promise<void>;
  /** Whether its socket is connected now. */
  isConnected(): boolean;
  close(): void;
}

/** A message in the form in which devices are compared: its text and the number of its photos. */
const withPhotos = (text: string, photos: number) => (photos === 0 ? text : `${text} with ${photos} photos`);

/** Opens a conversation on a device with this token. */
function openDevice(origin: string, token: string, id: string): ChatDevice {
  const bySeq = new Map<number, string>();
  let isClosed = false;

  const take = (messages: MessageView[]) => {
    for (const { seq, text, pictures = [] } of messages) bySeq.set(seq, withPhotos(text ?? '', pictures.length));
  };
  const firstGap = () => {
    let seq = 1;
    while (bySeq.has(seq)) seq += 1;
    return seq;
  };

  async function catchUp(): Promise<void> {
    while (!isClosed) {
      const query = { after: String(firstGap() - 1), limit: String(pageSize) };
      const answer = bodyOf(listMessages, await call(origin, listMessages, { token, params: { id }, query }));
      if (answer === null) await pause(pauseMs);
      else {
        take(answer.data.messages);
        if (!answer.data.hasMore) return;
      }
    }
  }

  async function uploadPhoto(key: string): Promise<string> {
    const form = await formOf({ bytes: await draw() });
    const headers = { 'idempotency-key': key };
    for (;;) {
      const given = { token, params: { id }, query: { kind: 'picture' as const }, form, headers };
      const answer = bodyOf(uploadMessageMedia, await call(origin, uploadMessageMedia, given));
      if (answer !== null) return answer.data._id;
      await pause(pauseMs);
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
    // Another release may send events that this one doesn't know.
    const { data: event } = realtimeEventSchema.safeParse(payload);
    if (event?.kind !== 'message' || event.matchId !== id) return;
    take([event.message]);
    if (firstGap() < event.message.seq) void catchUp();
  });

  return {
    texts: () => Array.from({ length: firstGap() - 1 }, (_, at) => bySeq.get(at + 1) ?? ''),
    async write(text, hasPhoto = false) {
      const clientId = text.replaceAll(' ', '-').padEnd(8, '-');
      const pictures = hasPhoto ? { pictures: [await uploadPhoto(clientId)] } : {};
      for (let sent = 1; ; sent += 1) {
        const body = { clientId, text, ...pictures };
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

/** A conversation of two members. */
export interface Chat {
  /** One device of the first member and two of the second. */
  devices: ChatDevice[];
  /** The texts that were acknowledged or are being sent. */
  written: Set<string>;
}

/** New conversations between members of the demo. */
export async function openChats(db: pg.Pool, origin: string, pairs: number): Promise<Chat[]> {
  const ids = await findMembers(db, 2 * pairs);
  const matchIds = await matchNeighbours(db, ids);
  const sessions = await signIn(db, origin, ids);
  return matchIds.map((matchId, pair) => {
    const tokens = [sessions[2 * pair], sessions[2 * pair + 1], sessions[2 * pair + 1]];
    return { devices: tokens.map((session) => openDevice(origin, session?.token ?? '', matchId)), written: new Set() };
  });
}

/**
 * Lets both members of each chat write `each` messages, one in `photoEvery` with a photo, or until `isOver`; returns how often messages
 * were sent.
 */
export async function writeAll(
  chats: Chat[],
  {
    each = Infinity,
    photoEvery = Infinity,
    pauseMs: rest,
    isOver = () => false,
  }: { each?: number; photoEvery?: number; pauseMs: () => number; isOver?: () => boolean },
): Promise<number> {
  const write = async ({ devices, written }: Chat, chat: number, who: 0 | 1): Promise<number> => {
    let sent = 0;
    for (let number = 1; number <= each && !isOver(); number += 1) {
      const text = `chat ${chat} writer ${who} message ${number}`;
      const hasPhoto = number % photoEvery === 0;
      written.add(withPhotos(text, hasPhoto ? 1 : 0));
      await pause(rest());
      sent += (await devices[who]?.write(text, hasPhoto)) ?? 0;
    }
    return sent;
  };
  const counts = await Promise.all(chats.flatMap((chat, at) => [write(chat, at, 0), write(chat, at, 1)]));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How many messages were written, are missing, appear twice or were never sent, and in how many chats the devices differ. */
export function compareDevices(chats: Chat[]) {
  const counts = { written: 0, lost: 0, doubled: 0, ghosts: 0, others: 0 };
  for (const { devices, written } of chats) {
    const [first = [], ...rest] = devices.map((device) => device.texts());
    counts.written += written.size;
    counts.lost += [...written].filter((text) => !first.includes(text)).length;
    counts.doubled += first.length - new Set(first).size;
    counts.ghosts += first.filter((text) => !written.has(text)).length;
    if (rest.some((texts) => texts.join('\n') !== first.join('\n'))) counts.others += 1;
  }
  return counts;
}
