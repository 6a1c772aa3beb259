import { noPreferences } from '#contract/discovery.ts';
import { makeMember } from '../../factories.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { allStaff, completed, memberOnly, newAddress, row, type Row } from '../people.ts';

const aboutTheOther = ({ other }: Scene): CallRequest => ({ params: { userId: other.id } });
const { order: _, elsewhere: __, ...nothing } = noPreferences;

/** A valid request for every endpoint that lets members control what they see. */
export const controlRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /settings/hidden-words': () => ({}),
  'PUT /settings/hidden-words': () => ({ body: { words: ['crypto', 'one night stand'] } }),
  'GET /known-people': () => ({}),
  'PUT /known-people': () => ({ body: { addresses: [newAddress()] } }),
  'POST /known-people/remove': () => ({ body: { address: newAddress() } }),
  'DELETE /known-people': () => ({}),
  'PUT /bookmarks/{userId}': aboutTheOther,
  'DELETE /bookmarks/{userId}': aboutTheOther,
  'GET /bookmarks': () => ({ query: { limit: '5' } }),
  'GET /discovery/saved-filters': () => ({}),
  'PUT /discovery/saved-filters': () => ({ body: { filters: [{ name: 'Nearby', preferences: nothing }] } }),
};

const completedMember = (status: number) => ({ ...completed(status), ...allStaff(403) });
const aboutHiddenPerson = async ({ test }: Scene) => ({
  params: { userId: (await makeMember(test, { leaving: true })).id },
});

/** Who may call them. */
export const controlRows: Record<string, Row> = {
  'GET /settings/hidden-words': { cells: memberOnly(200) },
  'PUT /settings/hidden-words': { cells: memberOnly(200) },
  'GET /known-people': { cells: memberOnly(200) },
  'PUT /known-people': { cells: memberOnly(200) },
  'POST /known-people/remove': { cells: memberOnly(200) },
  'DELETE /known-people': { cells: memberOnly(200) },
  'PUT /bookmarks/{userId}': row(completedMember(200), 404, aboutHiddenPerson),
  'DELETE /bookmarks/{userId}': row(completedMember(200), 200, aboutHiddenPerson),
  'GET /bookmarks': { cells: completedMember(200) },
  'GET /discovery/saved-filters': { cells: memberOnly(200) },
  'PUT /discovery/saved-filters': { cells: memberOnly(200) },
};
