import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { sql } from 'kysely';
import { login, refreshToken } from '#contract/auth/session.ts';
import { likesReceived, likeUser, listMatches, passUser } from '#contract/connections.ts';
import { getCards } from '#contract/discovery.ts';
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts';
import { listConversations, listMessages, sendMessage } from '#contract/messages.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { listReports } from '#contract/moderation/reports.ts';
import { listNotifications } from '#contract/notifications.ts';
import { getProfile, getUser, listUsers, searchUsers } from '#contract/profiles/profiles.ts';
import { getStatistics } from '#contract/statistics.ts';
import { demoAccounts } from '../../demo/accounts.ts';
import { installationSecret } from '../../server/src/platform/config/secrets.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { createAccessTokens } from '../../server/src/platform/session/access-tokens.ts';
import { openSession } from '../../server/src/platform/session/sessions.ts';
import { bodyOf, call, type CallOptions } from '../chaos/http.ts';
import { createRandom } from '../chaos/random.ts';
import { habits } from '../habits.ts';
import type { Step } from './traffic.ts';

const random = createRandom(1);

/** Lists that staff read, for each day of an active member: twenty of them with 300 lists a day for 20,000 active members. */
const staffPerDay = { users: 0.1, reports: 0.1, cases: 0.05, statistics: 0.05 };

/** A refill follows from decisions, and nobody uploads a picture. */
const { refill: _, picture: __, page, ...ofMembers } = habits.perDay;
const perDay = { ...ofMembers, ...staffPerDay };
type Action = keyof typeof perDay;

/** Fewer cards at hand, and the next page is read: habits' decisions need as many pages as habits say. */
const cardsLeast = 20 - (perDay.like + perDay.pass) / page;
/** Initials under which many people are found. */
const initials = ['a', 'm', 's', 'j', 'e', 'l'];

/** A member with a conversation whose day has not begun. */
export interface Person {
  token: string;
  refreshToken: string;
  matchId: string;
}

/** Signs in members who have written with someone and have no deck, as after a night. */
export async function wake(db: Db, count: number): Promise<Person[]> {
  const tokens = createAccessTokens(await installationSecret(db, 'jwt', null));
  const { rows } = await sql<{ id: string; matchId: string }>`
    select distinct on (c.low_id) c.low_id as id, c.id as "matchId"
    from conversation c join discovery_row r on r.account_id = c.low_id join account a on a.id = c.low_id
    where c.is_answered and r.visible and a.staff_role is null and a.created_at < now() - interval '2 days'
    order by c.low_id limit ${count}`.execute(db);
  await sql`delete from deck where viewer_id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(db);
  const device = { name: 'Rehearsal', network: null };
  return await Promise.all(
    rows.map(async ({ id, matchId }) => {
      const opened = await openSession(db, { id, isStaff: false }, device, { tokens, now: new Date() });
      return { token: opened.token, refreshToken: opened.refreshToken, matchId };
    }),
  );
}

const sideBySide = 20;

/**
 * Whole days of members, so many side by side, each waiting for an answer before the next request; null while all of them wait. The first
 * ones end early, each after another share of a day, so that later some members begin while others are in the middle.
 */
export function ordinaryDays(origin: string, people: Person[], staffToken: string): (agent: Agent) => Step | null {
  const resting: Generator<Step>[] = [];
  let begun = 0;
  let ended = 0;
  const begin = (agent: Agent) => {
    const person = people[begun % people.length];
    if (person === undefined) throw new Error('no members to send requests for');
    begun += 1;
    return dayOf({ origin, agent, staffToken }, person, Math.min(1, begun / sideBySide));
  };
  return function next(agent): Step | null {
    const day = resting.shift() ?? (begun - ended < sideBySide ? begin(agent) : null);
    if (day === null) return null;
    const step = day.next();
    if (step.done === true) {
      ended += 1;
      return next(agent);
    }
    const { isWrite, send } = step.value;
    return {
      isWrite,
      async send() {
        const outcome = await send();
        resting.push(day);
        return outcome;
      },
    };
  };
}

interface Place {
  origin: string;
  agent: Agent;
  staffToken: string;
}

/**
 * What one member, and staff meanwhile, do on a day, one after the other: as often as `habits` say, on average over many days. `share`: only
 * that much of it, 0…1.
 */
function* dayOf(place: Place, person: Person, share = 1): Generator<Step> {
  const { steps, nextPage, hand } = actionsOf(place, person);
  yield steps.profile();
  yield nextPage();
  [hand.seen = ''] = hand.cards;
  const actions = random.shuffled(drawn());
  for (const action of actions.slice(0, Math.ceil(share * actions.length))) {
    const needsCard = action === 'like' || action === 'pass';
    if (needsCard && hand.cards.length <= cardsLeast) yield nextPage();
    if (needsCard ? hand.cards.length === 0 : action === 'person' && hand.seen === '') continue;
    yield steps[action]();
  }
}

/** The cards a member has at hand, and who was on the last one. */
interface Hand {
  cards: string[];
  seen: string;
  isOutOfLikes: boolean;
}

function actionsOf({ origin, agent, staffToken }: Place, person: Person) {
  const { matchId } = person;
  const hand: Hand = { cards: [], seen: '', isOutOfLikes: false };
  let lists = 0;

  const ask = <E extends EndpointSpec>(
    endpoint: E,
    options: CallOptions<E> = {},
    then: (body: AnswerOf<E>) => void = () => undefined,
  ): Step => ({
    isWrite: endpoint.method !== 'GET',
    async send() {
      const outcome = await call(origin, endpoint, { token: person.token, agent, ...options });
      const body = bodyOf(endpoint, outcome);
      if (body !== null) then(body);
      return outcome;
    },
  });
  const asStaff = <E extends EndpointSpec>(endpoint: E, query?: CallOptions<E>['query']) =>
    ask(endpoint, { token: staffToken, query } as CallOptions<E>);
  const noteLikes = ({ data }: { data: { remainingLikes: number | null } }) => {
    hand.isOutOfLikes ||= data.remainingLikes === 0;
  };
  const nextPage = () =>
    ask(getCards, { query: { pictures: 'once' } }, (body) => {
      noteLikes(body);
      hand.cards = body.data.cards.map(({ user }) => user._id);
    });
  const deciding = () => {
    hand.seen = hand.cards.shift() ?? hand.seen;
    return { params: { userId: hand.seen }, headers: { 'idempotency-key': randomUUID() } };
  };
  const pass = () => ask(passUser, deciding());
  const like = () => ask(likeUser, { ...deciding(), body: {} }, noteLikes);
  const message = () => ({ clientId: randomUUID(), text: 'Shall we have a coffee this week?' });

  const steps: Record<Action, () => Step> = {
    profile: () => ask(getProfile),
    refresh: () =>
      ask(refreshToken, { body: { refreshToken: person.refreshToken } }, ({ data }) => Object.assign(person, data)),
    like: () => (hand.isOutOfLikes ? pass() : like()),
    pass,
    matches() {
      lists += 1;
      if (lists % 3 === 0) return ask(listMessages, { params: { id: matchId } });
      return lists % 3 === 1 ? ask(listConversations) : ask(listMatches);
    },
    likesReceived: () => ask(likesReceived),
    notifications: () => ask(listNotifications),
    person: () => ask(getUser, { params: { id: hand.seen } }),
    message: () => ask(sendMessage, { params: { id: matchId }, body: message() }),
    search: () => ask(searchUsers, { query: { minAge: '25', maxAge: '45' } }),
    login: () => ask(login, { body: { email: demoAccounts[1].email, password: demoAccounts[1].password } }),
    users: () => asStaff(listUsers, { search: random.shuffled(initials)[0] ?? '' }),
    reports: () => asStaff(listReports, { status: 'pending' }),
    cases: () => asStaff(listCases),
    statistics: () => asStaff(getStatistics),
  };
  return { steps, nextPage, hand };
}

/** As many of each action as a day has; of 0.2 a day, one in five days has one. */
function drawn(): Action[] {
  return (Object.entries(perDay) as [Action, number][]).flatMap(([action, often]) =>
    Array.from({ length: Math.floor(often + random.next()) }, () => action),
  );
}
