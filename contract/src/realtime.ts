import * as z from 'zod/mini';
import { messageSchema } from './messages.ts';

/** Where the socket is, on the server's own origin. */
export const realtimePath = '/realtime';

/**
 * What a socket tells somebody at once. The database is the truth and this is a hint: whoever was away asks for what they missed.
 */
export const realtimeEventSchema = z.union([
  /** A message is new, was changed, or is gone. */
  z.object({ kind: z.literal('message'), matchId: z.string(), message: messageSchema }),
  /** Messages up to this place are read: by the other one, or by oneself on another device. */
  z.object({ kind: z.literal('read'), matchId: z.string(), by: z.string(), seq: z.int() }),
  z.object({ kind: z.literal('typing'), matchId: z.string() }),
  /** Two likes have met. */
  z.object({ kind: z.literal('match'), matchId: z.string() }),
  /** A match is over, for whatever reason. */
  z.object({ kind: z.literal('matchEnded'), matchId: z.string() }),
  /** What somebody is told of has changed. */
  z.object({ kind: z.literal('news') }),
  /** For staff: the figures of the service, or reports, have changed. */
  z.object({ kind: z.enum(['statistics', 'reports']) }),
]);

export type RealtimeEvent = z.output<typeof realtimeEventSchema>;

/** What a device says over its socket. */
export const typingSchema = z.object({ matchId: z.string().check(z.maxLength(64)) });

/** Somebody who types says so every so often; whoever hears nothing for longer takes them for silent. */
export const typingEveryMs = 3000;
export const typingLastsMs = 5000;
