import * as z from 'zod/mini';
import { keptUserFilters } from '../profiles/staff.ts';
import { savedViewCalls, savedViewFields } from './saved-views.ts';

/** A saved list of users with its filters and order, which are the query of the list as text. */
const savedUserViewSchema = z.object({ ...savedViewFields, filters: z.record(z.string(), z.string()) });
export type SavedUserView = z.output<typeof savedUserViewSchema>;

export const {
  list: listUserViews,
  save: saveUserView,
  change: changeUserView,
  remove: deleteUserView,
} = savedViewCalls({
  path: '/admin/user-views',
  access: 'users.list',
  view: savedUserViewSchema,
  filters: keptUserFilters,
  lists: 'List my saved lists of users and those the team shares, without those whose filters my role may not use.',
  saves: 'Save filters and order of the list of users under a name.',
  shownAt: [],
});
