import * as z from 'zod/mini';
import { matchSchema } from './connections.ts';
import { conversationSchema, messageSchema } from './messages/messages.ts';
import { notificationSchema } from './notifications.ts';

/** The socket's path on the server's origin. */
export const realtimePath = '/realtime';

/**
 * Events sent over a socket. The database is authoritative: after a reconnect, clients fetch what they missed. Some
 * events carry the changed rows in the shape of the receiver's lists. Where these are optional, an event without them
 * is a hint to fetch: servers of the last release send only hints, and so do servers that can't read the change in
 * time.
 */
export const realtimeEventSchema = z.union([
  /** A message was sent, edited or deleted. */
  z.object({ kind: z.literal('message'), matchId: z.string(), message: messageSchema }),
  /**
   * Messages up to this number were read, either by the same member on another device or by the other person. Not sent
   * between two people if either hides when they were last active.
   */
  z.object({ kind: z.literal('read'), matchId: z.string(), by: z.string(), seq: z.int() }),
  /** The other person is typing. Never sent if either hides when they were last active. */
  z.object({ kind: z.literal('typing'), matchId: z.string() }),
  /** There is a new match, or a match whose hidden person is visible again. */
  z.object({
    kind: z.literal('match'),
    matchId: z.string(),
    /** The rows for the lists of matches and conversations. */
    rows: z.optional(z.object({ match: matchSchema, conversation: conversationSchema })),
  }),
  /** A match ended, for any reason. */
  z.object({
    kind: z.literal('matchEnded'),
    matchId: z.string(),
    /** How many conversations still have unread messages, counted up to 100. */
    unreadConversations: z.optional(z.int()),
  }),
  /** The date planned with a match changed, or only what the receiver chose for it. Clients fetch it. */
  z.object({ kind: z.literal('date'), matchId: z.string() }),
  /** Notifications changed. */
  z.object({
    kind: z.literal('news'),
    changes: z.optional(
      z.object({
        /** Notifications that are new or have happened again, newest first. */
        added: z.array(notificationSchema),
        /** The ids of notifications that were read. */
        read: z.array(z.string()),
        /** How many notifications are unread now, counted up to 100. */
        unread: z.int(),
      }),
    ),
  }),
  /** The owner changed the service. Clients fetch its configuration. */
  z.object({ kind: z.literal('service') }),
  /** For staff: figures changed. Clients fetch them, because they differ per role and change all the time. */
  z.object({ kind: z.literal('statistics') }),
  /** For staff: reports or cases changed or were added. */
  z.object({
    kind: z.literal('reports'),
    /**
     * The ids of changed reports and cases that the receiver's role lists and that don't involve the receiver. Clients
     * fetch them, because their rows contain more than a status. Absent for new ones, which may belong in any list.
     */
    changed: z.optional(z.object({ reports: z.array(z.string()), cases: z.array(z.string()) })),
  }),
  /** For staff: a colleague assigned this case to them. */
  z.object({ kind: z.literal('assigned'), caseId: z.string(), by: z.string() }),
  /** For staff with a case open: the colleagues who have it open right now. */
  z.object({
    kind: z.literal('caseViewer'),
    caseId: z.string(),
    viewer: z.object({ _id: z.string(), name: z.string() }),
  }),
]);

export type RealtimeEvent = z.output<typeof realtimeEventSchema>;
/** An event as the server gives it to the socket, which writes dates as text. */
export type EmittedEvent = z.input<typeof realtimeEventSchema>;

/** Events a device sends over its socket. */
export const typingSchema = z.object({ matchId: z.string().check(z.maxLength(64)) });

/** How often a device sends typing events; after a longer pause, the person has stopped typing. */
export const typingEveryMs = 3000;
export const typingLastsMs = 5000;

/** Sent by staff devices for as long as they show a case. */
export const openCaseSchema = z.object({ caseId: z.string().check(z.maxLength(64)) });

/** How often it is sent; after a longer pause, the person has left the case. */
export const openCaseEveryMs = 15_000;
export const openCaseLastsMs = 35_000;
