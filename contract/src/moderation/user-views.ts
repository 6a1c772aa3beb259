import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { keptUserFilters } from '../profiles/staff.ts';
import { savedViewCalls } from './saved-view-calls.ts';
import { savedViewFields } from './saved-views.ts';

/** A saved list of users with its filters and order, which are the query of the list as text. */
const savedUserViewSchema = z.object({ ...savedViewFields, filters: z.record(z.string(), z.string()) });
export type SavedUserView = z.output<typeof savedUserViewSchema>;

export const listUserViews = endpoint({
  method: 'GET',
  path: '/admin/user-views',
  summary: 'List my saved lists of users and those the team shares, without those whose filters my role may not use.',
  access: 'users.list',
  response: answer({ data: z.object({ views: z.array(savedUserViewSchema) }) }),
});

export const {
  save: saveUserView,
  change: changeUserView,
  remove: deleteUserView,
} = savedViewCalls({
  path: '/admin/user-views',
  access: 'users.list',
  view: savedUserViewSchema,
  filters: keptUserFilters,
  saves: 'Save filters and order of the list of users under a name.',
  shownAt: [],
});
