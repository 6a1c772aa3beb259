import { randomUUID } from 'node:crypto';
import { makeMember } from '../../factories.ts';
import { likesIn } from '../../likes.ts';
import { completed, type Cells, type Row } from '../access-cells.ts';
import type { Scene } from '../requests.ts';

/** Staff can't use matching. */
const completedMember = (status: number): Cells => ({ ...completed(status), moderator: 403, administrator: 403 });

const aboutHiddenPerson = async ({ test }: Scene) => ({
  params: { userId: (await makeMember(test, { leaving: true })).id },
});

/** Who may call what about cards, likes and matches. */
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
