import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, nameText } from '../text.ts';

export const tagNameMax = 40;
/** How many tags can be in use, and how many one person can have. */
export const tagsMax = 100;
export const tagsOfUserMax = 20;
/** The users of a tag are counted up to this many. */
export const tagUsersCounted = 100;

/** A tag in the list that senior moderators keep. */
export const tagSchema = z.object({
  _id: z.string(),
  name: z.string(),
  /** It can no longer be added; people who have it keep it. */
  isRetired: z.boolean(),
  /** How many people have it, counted up to 100. */
  userCount: z.int(),
  /** The ids of the tags that it replaced, which saved lists may still name. */
  merged: z.optional(z.array(z.string())),
});

/** A tag that a person has. */
export const userTagSchema = z.object({
  _id: z.string(),
  name: z.string(),
  isRetired: z.boolean(),
});
export type Tag = z.output<typeof tagSchema>;
export type UserTag = z.output<typeof userTagSchema>;

const oneTag = z.object({ id: idSchema });
const nameBody = z.object({ name: nameText(1, tagNameMax) });
const theTag = answer({ data: z.object({ tag: tagSchema }) });

export const listTags = endpoint({
  method: 'GET',
  path: '/admin/tags',
  summary: 'List the tags that people can have, by name, with how many have each, counted up to 100.',
  access: 'users.list',
  response: answer({ data: z.object({ tags: z.array(tagSchema) }) }),
});

export const addTag = endpoint({
  method: 'POST',
  path: '/admin/tags',
  summary: 'Add a tag to the list. 409 for a name in use and with 100 in use. Audited.',
  access: 'tags.manage',
  writes: true,
  status: 201,
  creates: true,
  body: nameBody,
  response: theTag,
  errors: ['CONFLICT'],
  stale: ['/admin/tags', '/admin/users/{id}/file'],
});

export const renameTag = endpoint({
  method: 'PATCH',
  path: '/admin/tags/{id}',
  summary: 'Rename a tag for everyone who has it. 409 for a name in use, or once it was retired. Audited.',
  access: 'tags.manage',
  writes: true,
  params: oneTag,
  body: nameBody,
  response: theTag,
  errors: ['NOT_FOUND', 'CONFLICT'],
  stale: ['/admin/tags', '/admin/users/{id}/file'],
});

export const mergeTag = endpoint({
  method: 'POST',
  path: '/admin/tags/{id}/merge',
  summary:
    'Replace a tag by another one, which everyone who had it has from then on. 409 unless the other is in use. Audited.',
  access: 'tags.manage',
  writes: true,
  params: oneTag,
  body: z.object({ into: idSchema }),
  response: theTag,
  errors: ['NOT_FOUND', 'CONFLICT'],
  stale: ['/admin/tags', '/admin/users/{id}/file'],
});

export const retireTag = endpoint({
  method: 'POST',
  path: '/admin/tags/{id}/retire',
  summary: 'Take a tag out of use: no one can be given it any more. 409 once it was retired. Audited.',
  access: 'tags.manage',
  writes: true,
  params: oneTag,
  response: theTag,
  errors: ['NOT_FOUND', 'CONFLICT'],
  stale: ['/admin/tags', '/admin/users/{id}/file'],
});

const someTags = z.optional(z.array(idSchema).check(z.maxLength(tagsOfUserMax)));

export const tagUser = endpoint({
  method: 'PATCH',
  path: '/admin/users/{id}/tags',
  summary:
    'Give tags to a person and take others away; what they already have or lack stays as it is. 409 for a tag that is not in use. Audited.',
  access: 'users.note',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({ add: someTags, remove: someTags }),
  response: answer({ data: z.object({ tags: z.array(userTagSchema) }) }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/users/{id}/file'],
});
