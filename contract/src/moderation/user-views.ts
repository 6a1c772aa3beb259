import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { keptUserFilters } from '../profiles/staff.ts';
import { idSchema } from '../text.ts';
import { savedViewFields, viewBodySchema } from './saved-views.ts';

/** A saved list of users with its filters and order, which are the query of the list as text. */
const savedUserViewSchema = z.object({ ...savedViewFields, filters: z.record(z.string(), z.string()) });
export type SavedUserView = z.output<typeof savedUserViewSchema>;

const body = z.extend(viewBodySchema, { filters: keptUserFilters });
const oneView = answer({ data: z.object({ view: savedUserViewSchema }) });
const params = z.object({ id: idSchema });

export const listUserViews = endpoint({
  method: 'GET',
  path: '/admin/user-views',
  summary: 'List my saved lists of users and those the team shares, without those whose filters my role may not use.',
  access: 'users.list',
  response: answer({ data: z.object({ views: z.array(savedUserViewSchema) }) }),
});

export const saveUserView = endpoint({
  method: 'POST',
  path: '/admin/user-views',
  summary:
    'Save filters and order of the list of users under a name. Only senior moderators and administrators share them with the team, which is audited. 409 for a name in use, and with 20 lists saved or 30 shared.',
  access: 'users.list',
  writes: true,
  status: 201,
  creates: true,
  body,
  response: oneView,
  errors: ['CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
  stale: ['/admin/user-views'],
});

export const changeUserView = endpoint({
  method: 'PUT',
  path: '/admin/user-views/{id}',
  summary:
    'Change a saved list: my own or, as a senior moderator or administrator, any shared one. Changes to shared lists are audited. 409 if it has changed since the named version.',
  access: 'users.list',
  writes: true,
  params,
  body: z.extend(body, { version: z.optional(z.int()) }),
  response: oneView,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
  stale: ['/admin/user-views'],
});

export const deleteUserView = endpoint({
  method: 'DELETE',
  path: '/admin/user-views/{id}',
  summary: 'Delete a saved list: my own or, as a senior moderator or administrator, any shared one. Audited if shared.',
  access: 'users.list',
  writes: true,
  params,
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  stale: ['/admin/user-views'],
});
