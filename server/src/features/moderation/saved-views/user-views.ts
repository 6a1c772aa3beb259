import * as z from 'zod/mini';
import type { BodyOf } from '#contract/endpoint.ts';
import type { SavedUserView, saveUserView } from '#contract/moderation/user-views.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { checkUserFilters, mayFilterUsersBy } from '../../profiles/public.ts';
import { changeView, savedViews, saveView, type Screen } from './saved-views.ts';

type Filters = SavedUserView['filters'];
type Given = BodyOf<typeof saveUserView>;

const filtersSchema = z.record(z.string(), z.string());

/** The list of users, whose filters are stored as the text in its URL. */
export const userScreen: Screen<Filters> = {
  name: 'users',
  read: (filters) => filtersSchema.parse(filters),
  mayUse: mayFilterUsersBy,
};

function asText(filters: Given['filters']): Filters {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

async function viewAfter({ tx, caller }: CommandContext, id: string): Promise<SavedUserView> {
  const [view] = await savedViews(tx, caller, userScreen, id);
  if (view === undefined) throw new Error('a saved list was not found');
  return view;
}

/** Saves a list of users, or changes the one with `id`. Throws 403 and 400 for filters that the list would refuse. */
export async function putUserView(
  context: CommandContext,
  given: Given & { id?: string; version?: number | undefined },
): Promise<SavedUserView> {
  const { id, filters } = given;
  checkUserFilters(context.caller, filters);
  const body = { ...given, filters: asText(filters) };
  const saved =
    id === undefined ? saveView(context, userScreen, body) : changeView(context, userScreen, { ...body, id });
  return await viewAfter(context, await saved);
}
