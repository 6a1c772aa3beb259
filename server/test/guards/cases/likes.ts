import { makeMember } from '../../factories.ts';
import { placeDecision, placeMatch, likesIn } from '../../likes.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { randomUUID } from 'node:crypto';
import { allStaff, completed, type Cells, type Row } from '../access-cells.ts';

const aboutTheOther = ({ other }: Scene): CallRequest => ({ params: { userId: other.id } });

/** A valid request for every endpoint of cards, likes and matches. */
export const likesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /discovery': () => ({ query: { limit: '5' } }),
  'POST /discovery/undo': async ({ test, actor }) => {
    if (actor !== null) await placeDecision(test, actor, await makeMember(test), 'pass');
    return { body: {} };
  },
  'POST /likes/{userId}': (scene) => ({ ...aboutTheOther(scene), body: { note: 'The second picture!' } }),
  'DELETE /likes/{userId}': aboutTheOther,
  'POST /passes/{userId}': aboutTheOther,
  'GET /likes/received': () => ({ query: { page: '1' } }),
  'GET /likes/sent': () => ({ query: { page: '1' } }),
  'GET /matches': () => ({ query: { page: '1' } }),
  'DELETE /matches/{id}': async ({ test, actor, other }) => ({
    params: { id: await placeMatch(test, actor ?? other, await makeMember(test)) },
  }),
};

/** Staff can't use matching. */
const completedMember = (status: number): Cells => ({ ...completed(status), ...allStaff(403) });

const aboutHiddenPerson = async ({ test }: Scene) => ({
  params: { userId: (await makeMember(test, { leaving: true })).id },
});

/** Who may call which endpoints of cards, likes and matches. */
export const likesRows: Record<string, Row> = {
  'GET /discovery': { cells: completedMember(200) },
  'POST /discovery/undo': {
    cells: completedMember(200),
    others: { status: 404, request: () => ({ body: { userId: randomUUID() } }) },
  },
  'POST /likes/{userId}': {
    cells: completedMember(201),
    others: {
      status: 404,
      request: async (scene) => ({ ...(await aboutHiddenPerson(scene)), body: { note: 'Hello' } }),
    },
  },
  'DELETE /likes/{userId}': { cells: completedMember(200), others: { status: 200, request: aboutHiddenPerson } },
  'POST /passes/{userId}': { cells: completedMember(201), others: { status: 404, request: aboutHiddenPerson } },
  'GET /likes/received': { cells: completedMember(200) },
  'GET /likes/sent': { cells: completedMember(200) },
  'GET /matches': { cells: completedMember(200) },
  'DELETE /matches/{id}': {
    cells: completedMember(200),
    others: {
      status: 404,
      request: async ({ test, other }) => ({
        params: { id: await likesIn(() => test).match(other, await makeMember(test)) },
      }),
    },
  },
};
