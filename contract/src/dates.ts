import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { dateNoteMaxLength, datePlaceMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema, timeSchema, tokenText, trimmedText } from './text.ts';
import { said } from './said.ts';

const whereAndWhen = {
  place: z.string(),
  at: timeSchema,
  /** The time zone of the place, such as Europe/Lisbon. */
  zone: z.string(),
};

/** An open plan of a date, as one of the two sees it. */
export const dateSchema = z.object({
  _id: z.string(),
  /** The id of the person who suggested it; null once their account is deleted. */
  from: z.nullable(z.string()),
  ...whereAndWhen,
  note: z.nullable(z.string()),
  /** The first name of the person I meet as my link shows it; null if I share nothing. */
  name: z.nullable(z.string()),
  state: z.enum(['proposed', 'accepted']),
  /** Whether I want to be asked afterwards how it went. The other person never learns this. */
  checksIn: z.boolean(),
  /** The date has started, so that I can check in. */
  mayCheckIn: z.boolean(),
  /** My link for a friend; null if I share nothing. The other person never learns this. */
  link: z.nullable(z.string()),
});
export type DateView = z.output<typeof dateSchema>;

const params = z.object({ id: idSchema });
const checksIn = z.boolean();
const read = { method: 'GET', access: 'completed', params, errors: ['FORBIDDEN', 'NOT_FOUND'] } as const;
/** A command on a date, which answers with what the caller sees of it afterwards. */
const command = {
  ...read,
  method: 'POST',
  writes: true,
  response: answer({ data: z.object({ date: dateSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
} as const;

/**
 * A command that starts something new, so it returns 404 while the owner has dates switched off. Existing dates can still be read, canceled
 * and checked in.
 */
const begins = { part: 'dates', errors: [...command.errors, 'PART_OFF'] } as const;

export const getDate = endpoint({
  ...read,
  path: '/matches/{id}/date',
  summary:
    'Get the date that is planned with a match, and whether one can be planned: once both have written. One that I share stays when the other person ends the match.',
  response: answer({
    data: z.object({
      canPlan: z.boolean(),
      date: z.nullable(dateSchema),
      /** The agreed date that was canceled, until its time or the next suggestion: its calendar file removes it from calendars. */
      canceled: z.optional(z.object({ _id: z.string(), at: timeSchema, zone: z.string() })),
    }),
  }),
});

export const proposeDate = endpoint({
  ...command,
  ...begins,
  path: '/matches/{id}/dates',
  summary: 'Suggest a date to a match. It replaces the suggestion that is open; an agreed date is canceled first.',
  limit: 'message',
  status: 201,
  creates: true,
  body: z.object({
    place: trimmedText(1, datePlaceMaxLength),
    at: z.iso.datetime(said(msg`Choose a day and a time`)),
    zone: z.string().check(z.maxLength(64), z.regex(/^[A-Za-z]\w*(?:\/[\w+-]+){0,2}$/, 'Unknown time zone')),
    note: z.optional(z.nullable(trimmedText(1, dateNoteMaxLength))),
    checksIn,
  }),
  errors: [...begins.errors, 'INVALID_INPUT', 'TOO_MANY_REQUESTS'],
});

export const acceptDate = endpoint({
  ...command,
  ...begins,
  path: '/dates/{id}/accept',
  summary: 'Accept a date that the other person suggested. Accepting it again changes nothing.',
  body: z.object({ checksIn }),
});

export const cancelDate = endpoint({
  ...command,
  path: '/dates/{id}/cancel',
  summary:
    'Cancel, withdraw or decline a date for both. Links for friends end; that of the other person stays once the date is near. Also ends my part of one that I share when the other person has ended the match.',
  response: answer({ data: z.object({}) }),
});

export const getDateCalendar = endpoint({
  ...read,
  path: '/dates/{id}/calendar',
  summary: 'Get an open date as a calendar file (RFC 5545), or the file that removes one that was agreed and canceled.',
  streams: 'text/calendar; charset=utf-8',
});

export const shareDate = endpoint({
  ...command,
  path: '/dates/{id}/share',
  summary: 'Create my link to an accepted date for a friend, or get the one I have.',
});

export const endDateShare = endpoint({
  ...command,
  method: 'DELETE',
  path: '/dates/{id}/share',
  summary: 'End my link to a date.',
});

export const openSharedDate = endpoint({
  method: 'POST',
  path: '/dates/shared',
  summary:
    'Read a shared date with the token of its link. A link that ended is not found, whatever ended it: 24 hours after the date at the latest.',
  access: 'everyone',
  body: z.object({ token: tokenText }),
  response: answer({
    data: z.object({
      date: z.object({
        ...whereAndWhen,
        /** The first names of the member who shares it and of the person they meet. */
        by: z.string(),
        name: z.string(),
        /** The profile picture of that person as a data URL; null if they have none. */
        picture: z.nullable(z.string()),
      }),
    }),
  }),
  errors: ['NOT_FOUND'],
});

export const putCheckIn = endpoint({
  ...command,
  method: 'PUT',
  path: '/dates/{id}/check-in',
  summary: 'Choose whether we ask me two hours after an open date how it went.',
  body: z.object({ checksIn }),
});

const checkInSchema = z.object({
  ...whereAndWhen,
  matchId: z.string(),
  /** The first name of the person I meet. */
  name: z.string(),
  /** `waits`: the date has started. `helped`: I asked for help afterwards. `none`: there is nothing to ask. */
  state: z.enum(['none', 'waits', 'helped']),
});
export type CheckIn = z.output<typeof checkInSchema>;

export const getCheckIn = endpoint({
  ...read,
  path: '/dates/{id}/check-in',
  summary: 'Get my check-in for a date. It stays when the date or the match ended after the date had started.',
  response: answer({ data: z.object({ checkIn: checkInSchema }) }),
});

export const answerCheckIn = endpoint({
  ...command,
  path: '/dates/{id}/check-in',
  summary:
    'Answer how a date went: `good` stores nothing; `help` reports the other person, critical, with the conversation and the plan. The other person never learns either.',
  body: z.object({ answer: z.enum(['good', 'help']) }),
  response: answer({
    data: z.object({
      /** Whether to ask me now if we met. */
      asksMeeting: z.boolean(),
      /** My report, after I asked for help. */
      reportId: z.nullable(z.string()),
    }),
  }),
});
