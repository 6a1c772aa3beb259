import * as z from 'zod/mini';
import { matchSchema } from './connections.ts';
import { conversationSchema, messageSchema } from './messages.ts';
import { notificationSchema } from './notifications.ts';

/** The socket's path on the server's origin. */
export const realtimePath = '/realtime';

/**
 * Events sent over a socket. The database is authoritative: after a reconnect, clients fetch what they missed. Some carry what changed, in
 * the shape that their receiver's lists have. Where that is optional, an event without it is a hint, upon which clients fetch: servers of the
 * last release send only hints, and so do those that can't read what changed in time.
 */
export const realtimeEventSchema = z.union([
  /** A message is new, edited or deleted. */
  z.object({ kind: z.literal('message'), matchId: z.string(), message: messageSchema }),
  /**
   * Messages up to this number were read: by the same member on another device, or by the other person, unless one of the two hides when
   * they were last active.
   */
  z.object({ kind: z.literal('read'), matchId: z.string(), by: z.string(), seq: z.int() }),
  /** The other person is writing; never sent if one of the two hides when they were last active. */
  z.object({ kind: z.literal('typing'), matchId: z.string() }),
  /** There is a new match, or one whose other person was hidden is back. */
  z.object({
    kind: z.literal('match'),
    matchId: z.string(),
    /** Its rows in the lists of matches and conversations. */
    rows: z.optional(z.object({ match: matchSchema, conversation: conversationSchema })),
  }),
  /** A match ended, for any reason. */
  z.object({
    kind: z.literal('matchEnded'),
    matchId: z.string(),
    /** How many conversations with unread messages are left, counted up to 100. */
    unreadConversations: z.optional(z.int()),
  }),
  /** Notifications changed. */
  z.object({
    kind: z.literal('news'),
    changes: z.optional(
      z.object({
        /** Those that are new, or have happened again; newest first. */
        added: z.array(notificationSchema),
        /** The ids of those that were read. */
        read: z.array(z.string()),
        /** How many are unread now, counted up to 100. */
        unread: z.int(),
      }),
    ),
  }),
  /** For staff: figures changed. Clients fetch them: they are counted per role, and change all the time. */
  z.object({ kind: z.literal('statistics') }),
  /** For staff: reports or cases changed, or there are new ones. */
  z.object({
    kind: z.literal('reports'),
    /**
     * The ids of those that changed, as far as the receiver's role lists them and the receiver isn't a party: their rows say more than a
     * status, so what shows one of them is fetched. Absent for new ones, which may be in any list.
     */
    changed: z.optional(z.object({ reports: z.array(z.string()), cases: z.array(z.string()) })),
  }),
  /** For staff: a colleague has assigned this case to them. */
  z.object({ kind: z.literal('assigned'), caseId: z.string(), by: z.string() }),
  /** For staff with a case open: who else has it open right now. */
  z.object({
    kind: z.literal('caseViewer'),
    caseId: z.string(),
    viewer: z.object({ _id: z.string(), name: z.string() }),
  }),
]);

export type RealtimeEvent = z.output<typeof realtimeEventSchema>;

/** Events a device sends over its socket. */
export const typingSchema = z.object({ matchId: z.string().check(z.maxLength(64)) });

/** Interval of typing events; without one for longer, the person has stopped typing. */
export const typingEveryMs = 3000;
export const typingLastsMs = 5000;

/** What a device of staff sends for as long as it shows a case. */
export const openCaseSchema = z.object({ caseId: z.string().check(z.maxLength(64)) });

/** Its interval; without one for longer, the person has left the case. */
export const openCaseEveryMs = 15_000;
export const openCaseLastsMs = 35_000;
