import { blockUser, unblockUser } from '#contract/connections.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import * as calls from '#contract/connections.ts';
import { emit } from '../src/features.ts';
import { setEntitlement } from '../src/features/subscriptions/subscriptions.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

type Person = Pick<TestMember, 'id'>;
type Caller = Pick<TestMember, 'token'>;
type Paging = { page?: string; limit?: string };

/** Members' decisions about each other. */
export function likesIn(app: () => TestApp) {
  const about = (by: Caller, { id: userId }: Person) => ({ token: by.token, params: { userId } });
  return {
    like: (
      by: Caller,
      target: Person,
      body: BodyInput<typeof calls.likeUser> = {},
      headers: Record<string, string> = {},
    ) => app().call(calls.likeUser, { ...about(by, target), body, headers }),
    pass: (by: Caller, target: Person) => app().call(calls.passUser, about(by, target)),
    withdraw: (by: Caller, target: Person) => app().call(calls.withdrawLike, about(by, target)),
    undo: (by: Caller, target?: Person) =>
      app().call(calls.undoDecision, { token: by.token, body: target === undefined ? {} : { userId: target.id } }),
    block: (by: Caller, target: Person) => app().call(blockUser, about(by, target)),
    unblock: (by: Caller, target: Person) => app().call(unblockUser, about(by, target)),
    unmatch: (by: Caller, id: string) => app().call(calls.unmatchUser, { token: by.token, params: { id } }),
    received: async (by: Caller, query: Paging = {}) =>
      (await app().call(calls.likesReceived, { token: by.token, query })).body.data,
    sent: async (by: Caller, query: Paging = {}) =>
      (await app().call(calls.likesSent, { token: by.token, query })).body.data,
    matches: async (by: Caller, query: Paging = {}) =>
      (await app().call(calls.listMatches, { token: by.token, query })).body.data.matches,
    /** Matches the two people; the first one likes first. Returns the match's id. */
    match: async (one: TestMember, other: TestMember): Promise<string> => {
      await app().call(calls.likeUser, { ...about(one, other), body: {} });
      const { body } = await app().call(calls.likeUser, { ...about(other, one), body: {} });
      return body.data.matchId ?? '';
    },
  };
}

/** Inserts a like or pass directly; repeating it changes nothing. */
export async function placeDecision(app: TestApp, one: Person, other: Person, kind: 'like' | 'pass'): Promise<void> {
  const what = { note: null, liked_picture: null, liked_prompt: null, is_pending: false };
  await app.db
    .insertInto('decision')
    .values({ viewer_id: one.id, target_id: other.id, kind, decided_at: app.clock.now(), ...what })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A match of two accounts; returns its id. */
export async function placeMatch(app: TestApp, one: Person, other: Person): Promise<string> {
  await placeDecision(app, one, other, 'like');
  await placeDecision(app, other, one, 'like');
  const [low_id = '', high_id = ''] = [one.id, other.id].sort();
  const { id } = await app.db
    .insertInto('match')
    .values({ low_id, high_id, matched_at: app.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await emit(app.db, 'matched', { matchId: id });
  return id;
}

/** A refusal as text, without its request id. */
export function refusal({ status, error }: { status: number; error: { requestId?: string | undefined } }): string {
  return `${status} ${JSON.stringify({ ...error, requestId: '' })}`;
}

/** Ends a member's premium, as at the end of a paid period. */
export async function endPremium(app: TestApp, { id }: Person): Promise<void> {
  await setEntitlement(app.db, id, null);
}

/** Gives an account premium. */
export async function givePremium(app: TestApp, { id }: Person): Promise<void> {
  await setEntitlement(app.db, id, new Date('2099-01-01T00:00:00Z'));
}

/** The number of mutual likes without a match. */
export async function unmatchedPairs(app: TestApp): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(`
    select count(*)::int as n from decision one join decision other
      on other.viewer_id = one.target_id and other.target_id = one.viewer_id and one.viewer_id < other.viewer_id
    where one.kind = 'like' and other.kind = 'like'
      and not exists (select from match m where m.low_id = one.viewer_id and m.high_id = one.target_id)`);
  return rows[0]?.n ?? NaN;
}

/** The number of invalid matches: despite a block, or without a like from both sides. */
export async function wrongMatches(app: TestApp): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(`
    select count(*)::int as n from match m
    where exists (select from block b where (b.blocker_id, b.blocked_id) in ((m.low_id, m.high_id), (m.high_id, m.low_id)))
      or 2 <> (select count(*) from decision d where d.kind = 'like' and not d.is_pending
        and (d.viewer_id, d.target_id) in ((m.low_id, m.high_id), (m.high_id, m.low_id)))`);
  return rows[0]?.n ?? NaN;
}

/** The number of notifications about matches. */
export async function newsOfMatches(app: TestApp): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from notification where kind = 'match'`,
  );
  return rows[0]?.n ?? NaN;
}
