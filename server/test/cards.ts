import { getCards, putPreferences, type CardView } from '#contract/discovery/discovery.ts';
import type { AnswerOf, BodyInput, QueryInput } from '#contract/endpoint.ts';
import { makeMember, type MemberOptions, type TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

type Caller = Pick<TestMember, 'token'>;

export const prague = { latitude: 50.085, longitude: 14.42 };
/** Some 190 km from Prague. */
export const brno = { latitude: 49.195, longitude: 16.61 };

/** Whom members are shown, in the words of the product. */
export function cardsIn(app: () => TestApp) {
  const deckOf = async (
    viewer: Caller,
    query: QueryInput<typeof getCards> = {},
  ): Promise<AnswerOf<typeof getCards>['data']> =>
    (await app().call(getCards, { token: viewer.token, query })).body.data;
  return {
    /** Somebody in Prague who was here today. */
    meet: (options: MemberOptions = {}): Promise<TestMember> =>
      makeMember(app(), { ...prague, lastActiveAt: app().clock.now(), ...options }),
    prefer: (viewer: Caller, body: BodyInput<typeof putPreferences>) =>
      app().call(putPreferences, { token: viewer.token, body }),
    deckOf,
    cardsOf: async (viewer: Caller): Promise<CardView[]> => (await deckOf(viewer)).cards,
    idsFor: async (viewer: Caller): Promise<string[]> => (await deckOf(viewer)).cards.map(({ user }) => user._id),
  };
}

/** Leaves nobody behind, so that a test has its people for itself. */
export async function forgetEverybody(app: TestApp): Promise<void> {
  await app.db.deleteFrom('account').execute();
}
