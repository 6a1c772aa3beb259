import { act, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { type RealtimeEvent, realtimeEventSchema } from '#contract/realtime.ts';
import type { RealtimeSocket, openSocket } from '../src/api/realtime/realtime-socket.ts';

type Listeners = Parameters<typeof openSocket>[0];

let listeners: Listeners | null = null;
let sent: { name: string; payload: object }[] = [];

/** Replaces the socket: it connects when a test says so. */
export function openTestSocket(given: Listeners): RealtimeSocket {
  listeners = given;
  return {
    emit: (name, payload) => void sent.push({ name, payload }),
    close: () => {
      if (listeners === given) listeners = null;
    },
  };
}

/** Forgets what was sent; the socket is closed with the session. */
export function resetTestSocket(): void {
  sent = [];
}

/** Whether the socket is in use. */
export function isSocketOpen(): boolean {
  return listeners !== null;
}

/** The events that the screens sent over the socket, oldest first. */
export function sentOverSocket(): { name: string; payload: object }[] {
  return sent;
}

async function opened(): Promise<Listeners> {
  await waitFor(() => expect(listeners).not.toBeNull());
  if (listeners === null) throw new Error('the connection was not opened');
  return listeners;
}

/** Connects the socket, for the first time or again. */
export async function connectSocket(): Promise<void> {
  const { onConnect } = await opened();
  await act(async () => onConnect());
}

/** Sends an event from the server; it is checked against the contract. */
export async function receiveOverSocket(event: RealtimeEvent): Promise<void> {
  const { onEvent } = await opened();
  await act(async () => onEvent(realtimeEventSchema.parse(event)));
}
