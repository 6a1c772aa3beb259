import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { fileKindNames } from '../roles.ts';
import { idSchema, queryInteger, skippedWhenEmpty, text, timeSchema, trimmedText, wordList } from '../text.ts';
import { userTagSchema } from './tags.ts';

/** How many characters a note has at most, and for how many minutes its author can change it. */
export const noteMaxLength = 2000;
export const noteEditMinutes = 15;

export const filePageMax = 100;

/** A person who is named in an entry; their name is null if they have none. */
const namedPersonSchema = z.object({ _id: z.string(), name: z.nullable(z.string()) });

/** The values of a sentence on the screen. Which of them an entry has depends on its kind. */
export const fileFactsSchema = z.object({
  /** What happened: the type of a report, whether a message was answered, the outcome of a decision, or the template of a mail. */
  what: z.optional(z.string()),
  /** What the result was: the status of a report, subscription or mail, or who appealed. */
  state: z.optional(z.string()),
  priority: z.optional(z.string()),
  /** For a report: whether a member sent it, or a colleague opened a case. */
  source: z.optional(z.string()),
  strength: z.optional(z.string()),
  /** The other person; null once their account is gone. */
  person: z.optional(z.nullable(namedPersonSchema)),
  /** The other account was created after the ban of this person. */
  isReturn: z.optional(z.boolean()),
  strikes: z.optional(z.int()),
  endsAt: z.optional(z.nullable(z.string())),
  isRevoked: z.optional(z.boolean()),
  plan: z.optional(z.nullable(z.string())),
  /** The plan of premium that a colleague gave. */
  days: z.optional(z.int()),
  amountMinor: z.optional(z.int()),
  currency: z.optional(z.string()),
  device: z.optional(z.string()),
  /** The names of changed fields, never their values. */
  fields: z.optional(z.array(z.string())),
  tag: z.optional(z.string()),
  /** The text of a note, or why a colleague helped, or gave or ended premium. */
  text: z.optional(z.string()),
  isEdited: z.optional(z.boolean()),
});

/** Something in the history of a person. */
export const fileEntrySchema = z.object({
  _id: z.string(),
  kind: z.enum(fileKindNames),
  at: timeSchema,
  /** Its stored data can't be read, so it has no facts. */
  isUnreadable: z.optional(z.boolean()),
  /** The member of staff who did it; the role is null where it isn't stored. */
  actor: z.nullable(z.object({ name: z.string(), role: z.nullable(z.string()) })),
  /** What the entry opens. */
  opens: z.nullable(z.object({ type: z.enum(['report', 'case', 'appeal', 'user']), id: z.string() })),
  facts: fileFactsSchema,
  /** Until when the caller can change their note. */
  editableUntil: z.optional(timeSchema),
});
export type FileFacts = z.output<typeof fileFactsSchema>;
export type FileEntry = z.output<typeof fileEntrySchema>;

const oneUser = z.object({ id: idSchema });
const noteBody = z.object({ text: trimmedText(1, noteMaxLength) });

export const getUserFile = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/file',
  summary:
    'Get the history of a person, newest first, with their tags; only what the role may see. `kind` names one or more kinds, separated by commas, and without it come all but `read`; `kinds` in the answer are those the caller may ask for, none where they are involved. Access is audited.',
  access: 'users.list',
  params: oneUser,
  query: z.object({
    kind: skippedWhenEmpty(wordList(z.enum(fileKindNames), fileKindNames.length)),
    cursor: z.optional(text(1, 300)),
    limit: z.optional(queryInteger(1, filePageMax)),
  }),
  response: answer({
    data: z.object({
      entries: z.array(fileEntrySchema),
      kinds: z.array(z.enum(fileKindNames)),
      tags: z.array(userTagSchema),
      nextCursor: z.nullable(z.string()),
    }),
  }),
  errors: ['NOT_FOUND', 'INVALID_INPUT'],
});

export const addNote = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/notes',
  summary: 'Write a note about a person for the team. Its author can change it for 15 minutes. Audited.',
  access: 'users.note',
  writes: true,
  status: 201,
  creates: true,
  params: oneUser,
  body: noteBody,
  response: answer({ data: z.object({ note: fileEntrySchema }) }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  stale: ['/admin/users/{id}/file'],
});

export const changeNote = endpoint({
  method: 'PATCH',
  path: '/admin/notes/{id}',
  summary: 'Change a note of my own; 422 more than 15 minutes after it was written. Audited.',
  access: 'users.note',
  writes: true,
  params: oneUser,
  body: noteBody,
  response: answer({ data: z.object({ note: fileEntrySchema }) }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'TOO_LATE'],
  stale: ['/admin/users/{id}/file'],
});
