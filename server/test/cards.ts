import { getCards, putPreferences, type CardView } from '#contract/discovery.ts';
import type { AnswerOf, BodyInput, QueryInput } from '#contract/endpoint.ts';
import { makeMember, type MemberOptions, type TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

type Caller = Pick<TestMember, 'token'>;

export const prague = { latitude: 50.085, longitude: 14.42 };
/** About 190 km from Prague. */
export const brno = { latitude: 49.195, longitude: 16.61 };

/** The members shown as cards. */
export function cardsIn(app: () => TestApp) {
  const deckOf = async (
    viewer: Caller,
    query: QueryInput<typeof getCards> = {},
  ): Promise<AnswerOf<typeof getCards>['data']> =>
    (await app().call(getCards, { token: viewer.token, query })).body.data;
  return {
    /** A member in Prague who was active today. */
    meet: (options: MemberOptions = {}): Promise<TestMember> =>
      makeMember(app(), { ...prague, lastActiveAt: app().clock.now(), ...options }),
    prefer: (viewer: Caller, body: BodyInput<typeof putPreferences>) =>
      app().call(putPreferences, { token: viewer.token, body }),
    deckOf,
    cardsOf: async (viewer: Caller): Promise<CardView[]> => (await deckOf(viewer)).cards,
    idsFor: async (viewer: Caller): Promise<string[]> => (await deckOf(viewer)).cards.map(({ user }) => user._id),
  };
}

/** Deletes all members, so that a test sees only its own. */
export async function deleteAllMembers(app: TestApp): Promise<void> {
  await app.db.deleteFrom('account').execute();
}
