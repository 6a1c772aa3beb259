import { agree, letBothWrite, sharedToken, suggest, suggestion } from '../../dates.ts';
import { makeMember, type TestMember } from '../../factories.ts';
import { placeMatch } from '../../likes.ts';
import type { TestApp } from '../../harness.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { allStaff, completed, everyone, type Cells, row, type Row } from '../people.ts';

interface Pair {
  test: TestApp;
  one: TestMember;
  two: TestMember;
  matchId: string;
}

/** A member who can plan dates: the caller if they can, else another. */
async function planner({ test, actor }: Scene): Promise<TestMember> {
  const { rows } = await test.pool.query(
    'select from directory d join session s on s.account_id = d.account_id where d.is_shown and d.account_id = $1',
    [actor?.id ?? null],
  );
  return rows.length === 0 || actor === null ? await makeMember(test) : actor;
}

/** A match of the caller in which both have written; for callers who can't use matching, one of two others. */
async function pairOf(scene: Scene, member?: TestMember): Promise<Pair> {
  const { test } = scene;
  const [one, two] = [member ?? (await planner(scene)), await makeMember(test)];
  const matchId = await placeMatch(test, one, two);
  await letBothWrite(test, matchId);
  return { test, one, two, matchId };
}

/** An accepted date that has started. */
async function started({ test, one, two, matchId }: Pair): Promise<string> {
  const id = await agree(test, one, two, matchId);
  await test.db.updateTable('date_plan').set({ at: test.clock.now() }).where('id', '=', id).execute();
  return id;
}

const agreed = ({ test, one, two, matchId }: Pair) => agree(test, one, two, matchId);

type Making = [make: (pair: Pair) => Promise<string> | string, body?: (test: TestApp) => object];

/** For each endpoint with an id, the object of the id, and the body. */
const makings: Record<string, Making> = {
  'GET /matches/{id}/date': [({ matchId }) => matchId],
  'POST /matches/{id}/dates': [({ matchId }) => matchId, (test) => suggestion(test)],
  'POST /dates/{id}/accept': [({ test, two, matchId }) => suggest(test, two, matchId), () => ({ checksIn: true })],
  'POST /dates/{id}/cancel': [agreed],
  'GET /dates/{id}/calendar': [agreed],
  'POST /dates/{id}/share': [agreed],
  'DELETE /dates/{id}/share': [agreed],
  'PUT /dates/{id}/check-in': [agreed, () => ({ checksIn: true })],
  'GET /dates/{id}/check-in': [started],
  'POST /dates/{id}/check-in': [started, () => ({ answer: 'help' })],
};

const requestOf = async ([make, body]: Making, pair: Pair): Promise<CallRequest> => ({
  params: { id: await make(pair) },
  ...(body === undefined ? {} : { body: { ...body(pair.test) } }),
});

/** The id of a similar object that belongs to others. */
export const dateOfOthers =
  (name: string) =>
  async (test: TestApp, other: TestMember): Promise<string> => {
    const [make] = makings[name] ?? [];
    return (await make?.(await pairOf({ test, actor: other, other }, other))) ?? '';
  };

/** The names of the endpoints about one date or match. */
export const dateCallNames = Object.keys(makings);

/** A valid request for every endpoint of dates. */
export const datesRequests: Record<string, (scene: Scene) => Promise<CallRequest>> = {
  ...Object.fromEntries(
    Object.entries(makings).map(([name, making]) => [
      name,
      async (scene: Scene) => requestOf(making, await pairOf(scene)),
    ]),
  ),
  'POST /dates/shared': async (scene) => {
    const pair = await pairOf({ ...scene, actor: null });
    return { body: { token: await sharedToken(scene.test, pair.one, await agreed(pair)) } };
  },
};

const membersOnly = (status: number): Cells => ({ ...completed(status), ...allStaff(403) });

/** Who may call which endpoints of dates. */
export const datesRows: Record<string, Row> = {
  ...Object.fromEntries(
    Object.entries(makings).map(([name, making]) => [
      name,
      row(membersOnly(name === 'POST /matches/{id}/dates' ? 201 : 200), 404, async (scene: Scene) =>
        requestOf(making, await pairOf(scene, await makeMember(scene.test))),
      ),
    ]),
  ),
  'POST /dates/shared': row(everyone(200), 404, ({ other }: Scene) =>
    Promise.resolve({ body: { token: other.refreshToken } }),
  ),
};
