import * as z from 'zod/mini';
import { datePlaceMaxLength, dateNoteMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema, timeSchema, tokenText, trimmedText } from './text.ts';

/** The states of a date's plan; at most one plan of a match is open, that is proposed or accepted. */
export const dateStates = ['proposed', 'accepted', 'canceled', 'replaced'] as const;
export type DateState = (typeof dateStates)[number];

const whereAndWhen = {
  place: z.string(),
  at: timeSchema,
  /** The time zone of the place, such as Europe/Lisbon. */
  zone: z.string(),
};

/** An open plan of a date, as one of the two sees it. */
export const dateSchema = z.object({
  _id: z.string(),
  /** The id of the person who suggested it. */
  from: z.string(),
  ...whereAndWhen,
  note: z.nullable(z.string()),
  state: z.enum(['proposed', 'accepted']),
  /** Whether we ask me afterwards how it went. The other person never learns this. */
  checksIn: z.boolean(),
  /** The date has begun, so that I can check in. */
  mayCheckIn: z.boolean(),
  /** My link for a friend; null if I share nothing. The other person never learns this. */
  link: z.nullable(z.string()),
});
export type DateView = z.output<typeof dateSchema>;

const oneDate = z.object({ id: idSchema });
const dateAnswer = answer({ data: z.object({ date: dateSchema }) });
const checksIn = z.boolean();

export const getDate = endpoint({
  method: 'GET',
  path: '/matches/{id}/date',
  summary: 'Get the date that is planned with a match, and whether one can be planned: once both have written.',
  access: 'completed',
  params: oneDate,
  response: answer({ data: z.object({ canPlan: z.boolean(), date: z.nullable(dateSchema) }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const proposeDate = endpoint({
  method: 'POST',
  path: '/matches/{id}/dates',
  summary: 'Suggest a date to a match. It replaces the plan that is open.',
  access: 'completed',
  writes: true,
  limit: 'message',
  status: 201,
  creates: true,
  params: oneDate,
  body: z.object({
    place: trimmedText(1, datePlaceMaxLength),
    at: z.iso.datetime('Choose a day and a time'),
    zone: z.string().check(z.maxLength(64), z.regex(/^[A-Za-z]\w*(?:\/[\w+-]+){0,2}$/, 'Unknown time zone')),
    note: z.optional(z.nullable(trimmedText(1, dateNoteMaxLength))),
    checksIn,
  }),
  response: dateAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_INPUT', 'CONFLICT'],
});

export const acceptDate = endpoint({
  method: 'POST',
  path: '/dates/{id}/accept',
  summary: 'Accept a date that the other person suggested. Accepting it again changes nothing.',
  access: 'completed',
  writes: true,
  params: oneDate,
  body: z.object({ checksIn }),
  response: dateAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});

export const cancelDate = endpoint({
  method: 'POST',
  path: '/dates/{id}/cancel',
  summary: 'Cancel or decline a date for both. Links for friends end.',
  access: 'completed',
  writes: true,
  params: oneDate,
  response: answer({ data: z.object({}) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const getDateCalendar = endpoint({
  method: 'GET',
  path: '/dates/{id}/calendar',
  summary: 'Get an open date as a calendar file (RFC 5545).',
  access: 'completed',
  params: oneDate,
  streams: 'text/calendar; charset=utf-8',
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const shareDate = endpoint({
  method: 'POST',
  path: '/dates/{id}/share',
  summary: 'Create my link to an accepted date for a friend, or get the one I have.',
  access: 'completed',
  writes: true,
  params: oneDate,
  response: dateAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});

export const endDateShare = endpoint({
  method: 'DELETE',
  path: '/dates/{id}/share',
  summary: 'End my link to a date.',
  access: 'completed',
  writes: true,
  params: oneDate,
  response: dateAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
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
  method: 'PUT',
  path: '/dates/{id}/check-in',
  summary: 'Choose whether we ask me two hours after an open date how it went.',
  access: 'completed',
  writes: true,
  params: oneDate,
  body: z.object({ checksIn }),
  response: dateAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const getCheckIn = endpoint({
  method: 'GET',
  path: '/dates/{id}/check-in',
  summary: 'Get my check-in for a date. It stays when the date or the match ended after the date had begun.',
  access: 'completed',
  params: oneDate,
  response: answer({
    data: z.object({
      checkIn: z.object({
        ...whereAndWhen,
        matchId: z.string(),
        /** The first name of the person I meet. */
        name: z.string(),
        /** `waits` is a date that has begun, `helped` one after which I asked for help; `none` has nothing to ask. */
        state: z.enum(['none', 'waits', 'helped']),
      }),
    }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const answerCheckIn = endpoint({
  method: 'POST',
  path: '/dates/{id}/check-in',
  summary:
    'Answer how a date went: `good` stores nothing; `help` reports the other person, critical, with the conversation and the plan. The other person never learns either.',
  access: 'completed',
  writes: true,
  params: oneDate,
  body: z.object({ answer: z.enum(['good', 'help']) }),
  response: answer({
    data: z.object({
      /** Whether to ask me now if we met. */
      asksMeeting: z.boolean(),
      /** My report, after I asked for help. */
      reportId: z.nullable(z.string()),
    }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});
