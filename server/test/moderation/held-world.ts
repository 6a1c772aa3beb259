import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { deleteMessage, editMessage, readMessages, sendMessage } from '#contract/messages/messages.ts';
import { isPermission } from '#contract/roles.ts';
import { cardsIn } from '../cards.ts';
import type { TestMember } from '../factories.ts';
import { addressOf, callName, contractEndpoints } from '../guards/contract-endpoints.ts';
import type { TestApp } from '../harness.ts';
import { holdAccount } from './holds.ts';
import { likesIn, placeMatch } from '../likes.ts';
import { type Random, randomOf } from '../random.ts';
import { connect, type Device, listenTo } from '../sockets.ts';

/** A word in everything that held people write. */
export const heldWord = 'Canaryheld';

interface HeldPerson extends TestMember {
  device: Device;
  /** Their matches without a message, and how many messages they wrote in each. */
  matches: { id: string; written: number }[];
}

interface Observer extends TestMember {
  device: Device;
  matchIds: string[];
}

/** People who are held, and people who might notice what they do. */
export interface HeldWorld {
  held: HeldPerson[];
  observers: Observer[];
}

/** These start work, or return the address of an external service. */
const left = ['GET /auth/export', 'GET /auth/export/status', 'GET /dev/outbox'];

async function memberReads(): Promise<EndpointSpec[]> {
  const all = await contractEndpoints();
  return all.filter(
    (one) =>
      one.method === 'GET' && one.access !== 'everyone' && !isPermission(one.access) && !left.includes(callName(one)),
  );
}

/** Creates people who see each other as cards, with a match between some of them, and holds some. */
export async function makeHeldWorld(app: TestApp, count: { held: number; observers: number }): Promise<HeldWorld> {
  const { meet } = cardsIn(() => app);
  const here = await listenTo(app);
  const createdAt = new Date('2026-01-01T00:00:00.000Z');
  const held: HeldPerson[] = [];
  const observers: Observer[] = [];
  for (let n = 0; n < count.held + count.observers; n += 1) {
    const person = await meet({ createdAt, vip: n % 2 === 0 });
    const device = await connect(here, person.token);
    if (n < count.held) held.push({ ...person, device, matches: [] });
    else observers.push({ ...person, device, matchIds: [] });
  }
  for (const [index, observer] of observers.entries())
    for (const person of held.filter((_, at) => (index + at) % 3 === 0)) {
      const id = await placeMatch(app, person, observer);
      person.matches.push({ id, written: 0 });
      observer.matchIds.push(id);
    }
  for (const person of held) await holdAccount(app, person);
  return { held, observers };
}

const actsLastSeconds = 300;

/**
 * Random acts of held people that must leave no trace for others. They take five minutes, after which the clock is set back: others' views
 * may depend on their own times, but not on the time of reading.
 */
export function heldActs(app: TestApp, world: HeldWorld, seed: number) {
  const act = actsOf(app, world, seed);
  return async (count: number): Promise<void> => {
    const before = app.clock.now();
    for (let n = 0; n < count; n += 1) {
      app.clock.advance(actsLastSeconds / count);
      await act();
    }
    app.clock.set(before);
  };
}

/** Whether someone likes another, and the like was delivered. */
async function likes(app: TestApp, one: TestMember, other: TestMember): Promise<boolean> {
  const { rows } = await sql`select from decision
    where viewer_id = ${one.id}::uuid and target_id = ${other.id}::uuid and kind = 'like'`.execute(app.db);
  return rows.length > 0;
}

function actsOf(app: TestApp, { held, observers }: HeldWorld, seed: number) {
  const random = randomOf(seed);
  const { like, pass, undo, withdraw } = likesIn(() => app);
  const inMatch = async (person: HeldPerson, given: Random) => {
    const match = given.pick(person.matches);
    const call = { token: person.token, params: { id: match.id } };
    const place = { token: person.token, params: { id: match.id, seq: String(1 + given.below(match.written + 1)) } };
    const text = `${heldWord} ${given.next()}`;
    switch (given.below(5)) {
      case 0:
        person.device.socket.emit('typing', { matchId: match.id });
        return;
      case 1:
        await app.call(readMessages, { ...call, body: { seq: match.written + 1 } });
        return;
      case 2:
        await app.call(editMessage, { ...place, body: { text } });
        return;
      case 3:
        await app.call(deleteMessage, place);
        return;
      default:
        await app.call(sendMessage, { ...call, body: { clientId: randomUUID(), text } });
        match.written += 1;
    }
  };
  /** One act. Some are refused, as for matches or without premium. */
  return async (): Promise<void> => {
    const person = random.pick(held);
    const target = random.pick(observers);
    if (person.matches.length > 0 && random.chance(0.5)) return await inMatch(person, random);
    const kind = random.below(5);
    // An answer to a delivered like creates a match, as usual.
    if (kind < 2 && (await likes(app, target, person))) return;
    switch (kind) {
      case 0:
        await like(person, target);
        return;
      case 1:
        await like(person, target, { note: `${heldWord} ${random.next()}` });
        return;
      case 2:
        await pass(person, target);
        return;
      case 3:
        await undo(person);
        return;
      default:
        await withdraw(person, target);
    }
  };
}

/** The ids with which an observer calls an endpoint: their matches, the held people, or one id of neither. */
function idsFor({ path }: EndpointSpec, held: HeldPerson[], { id, matchIds }: Observer): string[] {
  if (!path.includes('{')) return [''];
  if (/^\/(matches|conversations)\//.test(path)) return matchIds;
  return path.startsWith('/auth/user/') ? held.map((person) => person.id) : [id];
}

/** The parts in which two answers with the same facts differ: request ids and sealed cursors. */
const randomParts = /"requestId":"[^"]*"|"nextCursor":"[\w-]{60,}"/g;

/** The answers of all read calls for a member, by URL; `idsOf` returns the ids to call each one with. */
export async function whatMemberSees(
  app: TestApp,
  { token }: Pick<TestMember, 'token'>,
  idsOf: (endpoint: EndpointSpec) => string[],
): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const endpoint of await memberReads())
    for (const id of idsOf(endpoint)) {
      const url = addressOf(endpoint, id);
      const { statusCode, body } = await app.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
      seen.set(url, `${statusCode} ${body.replaceAll(randomParts, '')}`);
    }
  return seen;
}

/**
 * Waits until these people have received all their events: those of an account are sent one after the other, and the last ones, which are
 * then forgotten, tell that a match ended which never was.
 */
async function untilArrived(app: TestApp, people: readonly Observer[]): Promise<void> {
  const matchId = randomUUID();
  const endOf = ({ heard }: Device) => {
    const mark = heard.findIndex((event) => event.kind === 'matchEnded' && event.matchId === matchId);
    return { mark, news: heard.findIndex(({ kind }, at) => at > mark && kind === 'news') };
  };
  for (const { id } of people) {
    const notification = { what: 'match-ended', id: matchId, low: id, high: randomUUID() };
    await sql`select pg_notify('heartwood', ${JSON.stringify(notification)})`.execute(app.db);
  }
  const areLeft = ({ device }: Observer) => Math.min(endOf(device).mark, endOf(device).news) < 0;
  await expect.poll(() => people.filter(areLeft).map(({ id }) => id)).toEqual([]);
  for (const { device } of people) {
    const { mark, news } = endOf(device);
    device.heard = device.heard.filter((_, at) => at !== mark && at !== news);
  }
}

/** Everything that observers can see or receive, by observer and kind. */
export async function whatObserversSee(app: TestApp, { held, observers }: HeldWorld): Promise<Map<string, string>> {
  await app.drain();
  await app.app.background.tasks['notifications.mail']?.({}, undefined as never);
  const seen = new Map<string, string>();
  for (const observer of observers)
    for (const [url, answer] of await whatMemberSees(app, observer, (endpoint) => idsFor(endpoint, held, observer)))
      seen.set(`${observer.id} ${url}`, answer);
  const ids = observers.map(({ id }) => id);
  for (const table of ['notification', 'mail', 'reply_count', 'like_count'] as const) {
    const { rows } =
      await sql`select * from ${sql.table(table)} where account_id = any (${ids}::uuid[]) order by 1`.execute(app.db);
    seen.set(table, JSON.stringify(rows));
  }
  const { rows: pushes } =
    await sql`select count(*) from graphile_worker.jobs where task_identifier = 'notifications.push'`.execute(app.db);
  seen.set('pushes', JSON.stringify(pushes));
  await untilArrived(app, observers);
  for (const { id, device } of observers) seen.set(`${id} events`, JSON.stringify(device.heard));
  return seen;
}

/** The differences between two views, as lines for the failure message. */
export function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}: ${before.get(key) ?? 'nothing'} → ${after.get(key) ?? 'nothing'}`);
}

/** Random acts of observers, some of them about held people. Returns how many matched a held person. */
export async function observersAct(app: TestApp, { held, observers }: HeldWorld, seed: number): Promise<number> {
  const random = randomOf(seed, 1);
  const { like, pass } = likesIn(() => app);
  const before = new Set(observers.flatMap(({ matchIds }) => matchIds));
  let matched = 0;
  for (const observer of observers) {
    const others = observers.filter(({ id }) => id !== observer.id);
    const target = random.pick<TestMember>(random.chance(0.7) ? held : others);
    if (random.chance(0.3)) {
      await pass(observer, target);
      continue;
    }
    const answer = await like(observer, target);
    const isHeld = held.some(({ id }) => id === target.id);
    if (answer.status >= 300 || !isHeld || answer.body.data.outcome !== 'matched') continue;
    // Liking a match again answers with that match.
    if (!before.has(answer.body.data.matchId ?? '')) matched += 1;
  }
  return matched;
}
