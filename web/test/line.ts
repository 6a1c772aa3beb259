import { act, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { type RealtimeEvent, realtimeEventSchema } from '#contract/realtime.ts';
import type { Line, openLine } from '../src/api/realtime/realtime-line.ts';

type Ends = Parameters<typeof openLine>[0];

let ends: Ends | null = null;
let heard: { name: string; said: object }[] = [];

/** Replaces the socket: it connects when a test says so. */
export function openTestLine(given: Ends): Line {
  ends = given;
  return {
    emit: (name, payload) => void heard.push({ name, said: payload }),
    close: () => {
      if (ends === given) ends = null;
    },
  };
}

/** Forgets what was sent; the socket is closed with the session. */
export function resetLine(): void {
  heard = [];
}

/** Whether the socket is in use. */
export function isLineOpen(): boolean {
  return ends !== null;
}

/** What the screens sent over the socket, oldest first. */
export function saidOverLine(): { name: string; said: object }[] {
  return heard;
}

async function opened(): Promise<Ends> {
  await waitFor(() => expect(ends).not.toBeNull());
  if (ends === null) throw new Error('the connection was not opened');
  return ends;
}

/** Connects the socket, for the first time or again. */
export async function connectLine(): Promise<void> {
  const { onConnect } = await opened();
  await act(async () => onConnect());
}

/** Sends an event from the server; it is checked against the contract. */
export async function tellOverLine(event: RealtimeEvent): Promise<void> {
  const { onEvent } = await opened();
  await act(async () => onEvent(realtimeEventSchema.parse(event)));
}
