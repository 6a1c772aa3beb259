import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { logout } from '#contract/auth/session.ts';
import { listMatches } from '#contract/connections.ts';
import * as calls from '#contract/messages/messages.ts';
import { claimCase } from '#contract/moderation/cases.ts';
import { listNotifications, readNotifications } from '#contract/notifications.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { answer, caseIdOf, fileReport, leaveNote } from '../../../test/moderation/reports.ts';
import { anotherProcess, connect, listenTo, muteSocket, rawSocket, type Device } from '../../../test/sockets.ts';
import { socketsPerNetwork } from './sockets.ts';

const app = startAppForTests();
let here: string;
let there: Awaited<ReturnType<typeof anotherProcess>>;
const devices: Device[] = [];
beforeAll(async () => {
  here = await listenTo(app);
  there = await anotherProcess(app);
});
afterEach(() => {
  for (const { socket } of devices.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await there.close();
});

const { match, unmatch, block } = likesIn(() => app);
const within = { timeout: 60_000, interval: 20 };

async function device(url: string, token: string | null, headers?: Record<string, string>): Promise<Device> {
  const made = await connect(url, token, headers);
  devices.push(made);
  return made;
}

async function pair({ showLastActive = true } = {}) {
  const [ada, bo] = [await makeMember(app, { showLastActive }), await makeMember(app)];
  return { ada, bo, id: await match(ada, bo) };
}

const write = (who: TestMember, id: string, text: string) =>
  app.call(calls.sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text } });
/** The received events of these kinds; others, such as notifications, may arrive at any time. */
const heardOf = ({ heard }: Device, ...kinds: RealtimeEvent['kind'][]) =>
  heard.filter(({ kind }) => kinds.includes(kind));
/** The rows of a member's only match in the lists. */
const rowsOf = async ({ token }: TestMember) => {
  const [match] = (await app.call(listMatches, { token })).body.data.matches;
  const [conversation] = (await app.call(calls.listConversations, { token })).body.data.conversations;
  return { match, conversation };
};
const newsOf = async ({ token }: TestMember) => {
  const { notifications, unread } = (await app.call(listNotifications, { token })).body.data;
  return { added: notifications, unread };
};
/** What a member without unread messages receives when a match ends, whatever the reason. */
const endOf = (matchId: string, unread = 0): RealtimeEvent[] => [
  { kind: 'matchEnded', matchId, unreadConversations: 0 },
  { kind: 'news', changes: { added: [], read: [], unread } },
];
/** The received events, starting with the first end of a match. */
const sinceEnd = ({ heard }: Device) => heard.slice(heard.findIndex(({ kind }) => kind === 'matchEnded'));
const textsHeard = ({ heard }: Device) =>
  heard.flatMap((event) => (event.kind === 'message' ? [event.message.text] : []));

describe('socket connections', () => {
  test('require the token of a live session, and our own origin or none', async () => {
    const { ada } = await pair();
    expect((await device(here, ada.token)).ended).toBe(null);
    expect((await device(here, ada.token, { origin: here })).ended).toBe(null);
    for (const token of [null, 'nonsense', `${ada.token}x`])
      expect((await device(here, token)).ended).toBe('unauthorized');
    expect((await device(here, ada.token, { origin: 'https://evil.test' })).ended).not.toBe(null);
  });

  test('are closed if they send no token', async () => {
    await rawSocket(here).closed;
  });

  test('are limited per network, including those without a token yet', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
    const url = await listenTo(limited);
    const ada = await makeMember(limited);
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const { all, strangers } = socketsPerNetwork;
    const members = await Promise.all(Array.from({ length: 20 }, () => device(url, ada.token, from('198.51.100.7'))));
    expect(members.map(({ ended }) => ended)).toEqual(members.map(() => null));
    const waiting = Array.from({ length: strangers }, (_, n) => rawSocket(url, from(`198.51.100.${n}`)));
    await Promise.all(waiting.map(({ opened }) => opened));
    expect((await device(url, ada.token, from('198.51.100.200'))).ended).not.toBe(null);
    expect((await device(url, ada.token, from('203.0.113.1'))).ended).toBe(null);
    waiting.forEach(({ close }) => close());
    await Promise.all(waiting.map(({ closed }) => closed));
    while (members.length < all) {
      const more = Array.from({ length: 20 }, () => device(url, ada.token, from('198.51.100.7')));
      members.push(...(await Promise.all(more)));
    }
    expect(members.filter(({ ended }) => ended !== null)).toEqual([]);
    expect((await device(url, ada.token, from('198.51.100.200'))).ended).not.toBe(null);
    members[0]?.socket.disconnect();
    await expect.poll(async () => (await device(url, ada.token, from('198.51.100.200'))).ended).toBe(null);
    await limited.close();
  });

  test('are counted until they are closed, and cut off if they ignore the close', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
    const url = await listenTo(limited);
    const ada = await makeMember(limited);
    const headers = { 'x-forwarded-for': '198.51.100.9' };
    const mute = Array.from({ length: socketsPerNetwork.strangers }, () => muteSocket(url, headers));
    await Promise.all(mute.map(({ opened }) => opened));
    await Promise.race(mute.map(({ asked }) => asked));
    expect((await device(url, ada.token, headers)).ended).not.toBe(null);
    await Promise.all(mute.map(({ closed }) => closed));
    await expect.poll(async () => (await device(url, ada.token, headers)).ended).toBe(null);
    await limited.close();
  });

  test('are closed within a second of the session’s end, in every process', async () => {
    const ada = await makeMember(app);
    const both = [await device(here, ada.token), await device(there.url, ada.token)];
    await app.call(logout, { token: ada.token });
    await expect
      .poll(() => both.map(({ ended }) => ended), within)
      .toEqual(['io server disconnect', 'io server disconnect']);
    expect((await device(here, ada.token)).ended).toBe('unauthorized');
  });
});

describe('realtime events', () => {
  test('send a message to every device of both members, in every process, in the form each may see', async () => {
    const { ada, bo, id } = await pair();
    const stranger = await makeMember(app);
    const own = await device(there.url, ada.token);
    const others = [await device(here, bo.token), await device(there.url, bo.token)];
    const outside = await device(there.url, stranger.token);
    await write(ada, id, 'Text me on +420 601 234 567');
    await expect.poll(() => [own, ...others].map((one) => textsHeard(one).length), within).toEqual([1, 1, 1]);
    const cautions = [own, ...others].map((one) => {
      const [event] = heardOf(one, 'message');
      return event?.kind === 'message' && event.message.caution;
    });
    expect(cautions).toEqual([null, 'contact', 'contact']);
    expect(outside.heard).toEqual([]);
  });

  test('reach other processes completely, even many long messages at the same time', async () => {
    const bo = await makeMember(app);
    const writers = await Promise.all(Array.from({ length: 8 }, () => makeMember(app)));
    const ids = await Promise.all(writers.map((writer) => match(writer, bo)));
    const theirs = await device(there.url, bo.token);
    const textOf = (writer: number, n: number) => `${writer}.${n} ${'🌳'.repeat((writer * n) % 3 === 0 ? 990 : 1)}`;
    for (const n of [1, 2, 3]) await Promise.all(writers.map((writer, w) => write(writer, ids[w] ?? '', textOf(w, n))));
    const expected = writers.flatMap((_, w) => [1, 2, 3].map((n) => textOf(w, n)));
    await expect.poll(() => textsHeard(theirs).toSorted(), within).toEqual(expected.toSorted());
    const of = (w: number) => textsHeard(theirs).filter((text) => text?.startsWith(`${w}.`) === true);
    expect(writers.map((_, w) => of(w))).toEqual(writers.map((_, w) => [1, 2, 3].map((n) => textOf(w, n))));
  });

  test('send edits, deletions and read marks', async () => {
    const { ada, bo, id } = await pair();
    const [mine, theirs] = [await device(here, ada.token), await device(there.url, bo.token)];
    await write(ada, id, 'Helo');
    await app.call(calls.editMessage, { token: ada.token, params: { id, seq: '1' }, body: { text: 'Hello' } });
    await app.call(calls.readMessages, { token: bo.token, params: { id }, body: { seq: 1 } });
    await app.call(calls.deleteMessage, { token: ada.token, params: { id, seq: '1' } });
    await expect.poll(() => textsHeard(theirs), within).toEqual(['Helo', 'Hello', null]);
    await expect.poll(() => heardOf(mine, 'read'), within).toEqual([{ kind: 'read', matchId: id, by: bo.id, seq: 1 }]);
  });

  test('send typing only to the other member of the match', async () => {
    const { ada, bo, id } = await pair();
    const stranger = await makeMember(app);
    const [mine, theirs] = [await device(here, ada.token), await device(there.url, bo.token)];
    const intruder = await device(here, stranger.token);
    for (const said of [{ matchId: id }, null, { matchId: 7 }, 'x']) intruder.socket.emit('typing', said);
    mine.socket.emit('typing', { matchId: id });
    await expect.poll(() => heardOf(theirs, 'typing'), within).toEqual([{ kind: 'typing', matchId: id }]);
    expect(heardOf(mine, 'typing')).toEqual([]);
    expect(heardOf(intruder, 'typing')).toEqual([]);
    expect(intruder.ended).toBe(null);
  });

  test('send no read marks or typing if one of the two hides when they were last active', async () => {
    const { ada, bo, id } = await pair({ showLastActive: false });
    const [mine, theirs] = [await device(here, ada.token), await device(there.url, bo.token)];
    await write(ada, id, 'Hello');
    await write(bo, id, 'Hello, you');
    mine.socket.emit('typing', { matchId: id });
    theirs.socket.emit('typing', { matchId: id });
    for (const reader of [ada, bo])
      await app.call(calls.readMessages, { token: reader.token, params: { id }, body: { seq: 2 } });
    // Events of a conversation arrive in order, so what was sent before these messages has arrived as well.
    await write(ada, id, 'Later');
    await app.call(calls.editMessage, { token: ada.token, params: { id, seq: '1' }, body: { text: 'Hello!' } });
    await expect
      .poll(() => [mine, theirs].map((one) => textsHeard(one)), within)
      .toEqual([
        ['Hello', 'Hello, you', 'Later', 'Hello!'],
        ['Hello', 'Hello, you', 'Later', 'Hello!'],
      ]);
    const ownMark = (by: string) => ({ kind: 'read', matchId: id, by, seq: 2 });
    expect(heardOf(mine, 'read', 'typing')).toEqual([ownMark(ada.id)]);
    expect(heardOf(theirs, 'read', 'typing')).toEqual([ownMark(bo.id)]);
    const edited = heardOf(mine, 'message').at(-1);
    expect(edited?.kind === 'message' && edited.message.readAt).toBeNull();
  });

  test('send a new match in the form each list shows it, and its end for any reason', async () => {
    const [ada, bo] = [await makeMember(app, { firstName: 'Ada' }), await makeMember(app, { showLastActive: false })];
    const both = [await device(here, ada.token), await device(there.url, bo.token)];
    await likesIn(() => app).like(ada, bo, { note: 'A note of Ada' });
    const id = await match(bo, ada);
    await expect.poll(() => both.map((one) => heardOf(one, 'match').length), within).toEqual([1, 1]);
    const rows = [await rowsOf(ada), await rowsOf(bo)];
    expect(rows[1]?.match).toMatchObject({ user: { firstName: 'Ada', isOnline: null }, theirNote: 'A note of Ada' });
    expect(both.map((one) => heardOf(one, 'match')[0])).toEqual(
      rows.map((row) => ({ kind: 'match', matchId: id, rows: row })),
    );
    await write(ada, id, 'Hello');
    await unmatch(ada, id);
    const end = { kind: 'matchEnded', matchId: id, unreadConversations: 0 };
    await expect.poll(() => both.map((one) => heardOf(one, 'matchEnded')), within).toEqual([[end], [end]]);
  });

  test('send the end of a match when the other member leaves, and the match with its notification on their return', async () => {
    const { ada, bo, id } = await pair();
    await write(bo, id, 'Hello');
    const own = await device(there.url, ada.token);
    await app.pool.query('update account set leaving_since = now() where id = $1', [bo.id]);
    await expect.poll(() => sinceEnd(own), within).toEqual(endOf(id));
    await app.pool.query('update account set leaving_since = null where id = $1', [bo.id]);
    await expect
      .poll(() => heardOf(own, 'news').at(-1), within)
      .toMatchObject({ changes: { added: [{ subjectId: id }] } });
    const rows = await rowsOf(ada);
    expect(rows.conversation).toMatchObject({ unread: 1, lastMessage: { text: 'Hello' } });
    expect(heardOf(own, 'match').at(-1)).toEqual({ kind: 'match', matchId: id, rows });
    expect(heardOf(own, 'news').at(-1)).toEqual({ kind: 'news', changes: { ...(await newsOf(ada)), read: [] } });
  });

  test('send the same for a block as for someone leaving, and nothing when the account is deleted later', async () => {
    const [ada, bo, cy] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    const [withBo, withCy] = [await match(ada, bo), await match(ada, cy)];
    const own = await device(there.url, ada.token);
    await block(bo, ada);
    await expect.poll(() => sinceEnd(own), within).toEqual(endOf(withBo, 1));
    own.heard.length = 0;
    await app.pool.query('update account set leaving_since = now() where id = $1', [cy.id]);
    await expect.poll(() => sinceEnd(own), within).toEqual(endOf(withCy));
    await app.pool.query('delete from notification where subject_id = $1', [withCy]);
    await app.pool.query('delete from account where id = $1', [cy.id]);
    await match(ada, await makeMember(app));
    await expect.poll(() => heardOf(own, 'match').length, within).toBe(1);
    expect(heardOf(own, 'matchEnded')).toEqual([expect.objectContaining({ matchId: withCy })]);
  });

  test('send no hidden people, and send no one to members who may not read their matches yet', async () => {
    const { ada, bo, id } = await pair();
    const [own, theirs] = [await device(here, ada.token), await device(there.url, bo.token)];
    await app.pool.query('update account set is_hidden = true where id = $1', [bo.id]);
    await expect.poll(() => sinceEnd(own), within).toEqual(endOf(id));
    await app.pool.query('update account set email_verified_at = null where id = $1', [ada.id]);
    await app.pool.query('update account set is_hidden = false where id = $1', [bo.id]);
    await match(bo, await makeMember(app));
    await expect.poll(() => sinceEnd(theirs).filter(({ kind }) => kind === 'match').length, within).toBe(1);
    expect(sinceEnd(own).filter(({ kind }) => kind === 'match')).toEqual([]);
    // The member's own account is hidden, and the match ends for them once the other one is hidden too.
    expect(heardOf(theirs, 'matchEnded')).not.toEqual([]);
  });

  test('send nothing after a block, not even delayed events', async () => {
    const { ada, bo, id } = await pair();
    const theirs = await device(there.url, ada.token);
    await block(bo, ada);
    await expect.poll(() => sinceEnd(theirs), within).toEqual(endOf(id));
    expect((await write(bo, id, 'One more thing')).status).toBe(404);
    theirs.socket.emit('typing', { matchId: id });
    expect(heardOf(theirs, 'message', 'typing')).toEqual([]);
  });
});

/** The connections that listen to the database, in both processes. */
async function listeners(): Promise<number[]> {
  const { rows } = await app.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query ~* '^listen|as listening$'`,
  );
  return rows.map(({ pid }) => pid);
}
const breakListeners = async () =>
  await app.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await listeners()]);

test('the database listener reconnects after a lost connection, and finds sessions that ended in between', async () => {
  const ada = await makeMember(app);
  const there2 = await device(here, ada.token);
  const before = (await listeners()).length;
  await breakListeners();
  await app.call(logout, { token: ada.token });
  await expect.poll(() => there2.ended).toBe('io server disconnect');
  await expect.poll(async () => (await listeners()).length).toBe(before);
});

test('the database listener uses one connection after several failed attempts, and receives each event once', async () => {
  const [ada, bo] = [await makeMember(app), await makeMember(app)];
  const both = [await device(here, ada.token), await device(there.url, bo.token)];
  const before = (await listeners()).length;
  const seen = new Set(await listeners());
  const seenSoFar = async () => {
    for (const pid of await listeners()) seen.add(pid);
    return seen.size;
  };
  // Missed events can't be checked for, so listening restarts until they can.
  await app.pool.query('alter table session rename to session_away');
  await breakListeners();
  await expect.poll(seenSoFar, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before * 2 + 3);
  await app.pool.query('alter table session_away rename to session');
  await expect.poll(async () => (await listeners()).length, { timeout: 60_000, interval: 50 }).toBe(before);
  const id = await match(ada, bo);
  await expect.poll(() => both.map((one) => heardOf(one, 'match').length > 0), within).toEqual([true, true]);
  await unmatch(ada, id);
  await expect.poll(() => both.map((one) => heardOf(one, 'matchEnded').length > 0), within).toEqual([true, true]);
  const kinds = both.map((one) => heardOf(one, 'match', 'matchEnded').map(({ kind }) => kind));
  expect(kinds).toEqual([
    ['match', 'matchEnded'],
    ['match', 'matchEnded'],
  ]);
});

describe('staff', () => {
  const kindsOf = ({ heard }: Device) => new Set(heard.map(({ kind }) => kind));

  test('are notified in every process when reports and statistics change; members are not', async () => {
    const [moderator, ada] = [await makeModerator(app), await makeMember(app)];
    const desks = [await device(here, moderator.token), await device(there.url, moderator.token)];
    const phone = await device(here, ada.token);
    await fileReport(app, ada);
    for (const desk of desks) await expect.poll(() => kindsOf(desk).has('reports'), within).toBe(true);
    await app.app.background.tasks['statistics.fold']?.({}, {} as never);
    for (const desk of desks) await expect.poll(() => kindsOf(desk).has('statistics'), within).toBe(true);
    expect([...kindsOf(phone)]).toEqual([]);
  });

  test('are notified only of changed reports and cases that their role lists and that don’t involve them', async () => {
    const [ada, mo, cy] = [await makeMember(app), await makeModerator(app), await makeModerator(app)];
    const [analyst, support] = [
      await makeMember(app, { staffRole: 'analyst' }),
      await makeMember(app, { staffRole: 'support' }),
    ];
    const filed = await fileReport(app, cy, { problem_type: 'Harassment', reportedUser: ada.id });
    const other = await fileReport(app, ada, { problem_type: 'Technical Issue' });
    const caseId = await caseIdOf(app, filed._id);
    const desks = await Promise.all(
      [mo, cy, analyst, support].map(({ token }, index) => device(index % 2 === 0 ? here : there.url, token)),
    );
    const phone = await device(here, ada.token);
    /** The ids that each device receives as changed since the last time; events of new reports have no ids. */
    const changesOf = (one: Device) =>
      one.heard.splice(0).flatMap((event) => (event.kind === 'reports' ? (event.changed ?? []) : []));
    const received = async () => {
      const all = desks.map(() => [] as unknown[]);
      await expect
        .poll(() => {
          desks.forEach((desk, index) => all[index]?.push(...changesOf(desk)));
          return all.map((changes) => changes.length);
        }, within)
        .toEqual([1, 1, 1, 1]);
      return all.flat();
    };
    const none = { reports: [], cases: [] };
    await app.pool.query(`update report set priority = 'high' where id = any ($1::uuid[])`, [[filed._id, other._id]]);
    expect(await received()).toEqual([
      { reports: expect.arrayContaining([filed._id, other._id]), cases: [caseId] },
      { reports: [other._id], cases: [] },
      none,
      { reports: [other._id], cases: [] },
    ]);
    await app.call(claimCase, { token: mo.token, params: { id: caseId } });
    expect(await received()).toEqual([{ reports: [], cases: [caseId] }, none, none, none]);
    expect(heardOf(phone, 'reports')).toEqual([]);
  });

  test('are not notified if nothing changed', async () => {
    await app.app.background.tasks['statistics.fold']?.({}, {} as never);
    const [{ token }, ada] = [await makeModerator(app), await makeMember(app)];
    const fold = async () => app.app.background.tasks['statistics.fold']?.({}, {} as never);
    await fold();
    const before = await device(here, token);
    await fileReport(app, ada);
    await expect.poll(() => kindsOf(before).has('reports'), within).toBe(true);
    before.heard.length = 0;
    await fold();
    await expect.poll(() => kindsOf(before).has('statistics'), within).toBe(true);

    const desk = await device(here, token);
    await fold();
    // A superfluous event would have arrived after this statistics event.
    await fileReport(app, ada);
    await expect.poll(() => kindsOf(desk).has('reports'), within).toBe(true);
    expect([...kindsOf(desk)]).toEqual(['reports']);
  });
});

describe('colleagues who have a case open', () => {
  test('are shown to each other in every process, and to no one else', async () => {
    const [bo, mo, iris, cy] = [
      await makeMember(app),
      await makeModerator(app),
      await makeModerator(app),
      await makeModerator(app),
    ];
    const filed = await fileReport(app, cy, { problem_type: 'Harassment', reportedUser: bo.id });
    const caseId = await caseIdOf(app, filed._id);
    const [mos, iriss] = [await device(here, mo.token), await device(there.url, iris.token)];
    const party = await device(here, cy.token);
    const member = await device(here, bo.token);
    for (const one of [party, member, mos, iriss]) one.socket.emit('openCase', { caseId });
    const seenBy = (one: Device) =>
      one.heard.flatMap((event) => (event.kind === 'caseViewer' ? [event.viewer._id] : []));
    await expect.poll(() => seenBy(iriss), within).toContain(iris.id);
    // The page does the same when it sees someone new.
    await expect
      .poll(() => {
        mos.socket.emit('openCase', { caseId });
        return seenBy(iriss);
      }, within)
      .toContain(mo.id);
    expect([...new Set([...seenBy(mos), ...seenBy(iriss)])].toSorted()).toEqual([mo.id, iris.id].toSorted());
    expect([...seenBy(party), ...seenBy(member)]).toEqual([]);
  });
});

describe('events that a device sends in quick succession', () => {
  const caseAbout = async (person: TestMember) => {
    const filed = await fileReport(app, await makeMember(app), { problem_type: 'Harassment', reportedUser: person.id });
    return await caseIdOf(app, filed._id);
  };
  const viewersSeen = ({ heard }: Device) =>
    heard.flatMap((event) => (event.kind === 'caseViewer' ? [`${event.viewer._id} ${event.caseId}`] : []));

  test('show a moderator only on the case they opened last', async () => {
    const [mo, iris] = [await makeModerator(app), await makeModerator(app)];
    const [first, last] = [await caseAbout(await makeMember(app)), await caseAbout(await makeMember(app))];
    const [mos, iriss] = [await device(here, mo.token), await device(there.url, iris.token)];
    iriss.socket.emit('openCase', { caseId: last });
    await expect.poll(() => viewersSeen(iriss), within).toEqual([`${iris.id} ${last}`]);
    for (const caseId of [first, last, first, last]) mos.socket.emit('openCase', { caseId });
    await expect.poll(() => viewersSeen(iriss), within).toContain(`${mo.id} ${last}`);
    await expect.poll(() => viewersSeen(mos).at(-1), within).toBe(`${mo.id} ${last}`);
    iriss.socket.emit('openCase', { caseId: last });
    await expect.poll(() => viewersSeen(mos).at(-1), within).toBe(`${iris.id} ${last}`);
  });

  test('reach everyone they are meant for', async () => {
    const ada = await makeMember(app);
    const others = await Promise.all(Array.from({ length: 3 }, () => makeMember(app)));
    const ids = [];
    for (const other of others) ids.push(await match(ada, other));
    const [own, ...theirs] = await Promise.all([ada, ...others].map(({ token }) => device(here, token)));
    for (const matchId of ids) own?.socket.emit('typing', { matchId });
    await expect
      .poll(() => theirs.map((one) => heardOf(one, 'typing')), within)
      .toEqual(ids.map((matchId) => [{ kind: 'typing', matchId }]));
  });
});

describe('a case room', () => {
  test('removes colleagues at once who become involved or whose role no longer includes cases', async () => {
    const [bo, mo, iris, cy] = [
      await makeMember(app),
      await makeModerator(app),
      await makeModerator(app),
      await makeModerator(app),
    ];
    const harassment = { problem_type: 'Harassment' as const, reportedUser: bo.id };
    const caseId = await caseIdOf(app, (await fileReport(app, await makeMember(app), harassment))._id);
    const [mos, iriss, cys] = [
      await device(here, mo.token),
      await device(there.url, iris.token),
      await device(here, cy.token),
    ];
    const sees = (one: Device, who: TestMember) =>
      one.heard.some((event) => event.kind === 'caseViewer' && event.viewer._id === who.id);
    /** Whether a device receives an event the next time Mo's device sends that the case is open. */
    const hearsOfMo = async (one: Device) => {
      for (const { heard } of [one, iriss]) heard.length = 0;
      await expect
        .poll(() => {
          mos.socket.emit('openCase', { caseId });
          return sees(iriss, mo);
        }, within)
        .toBe(true);
      return sees(one, mo);
    };
    for (const one of [cys, iriss]) one.socket.emit('openCase', { caseId });
    await expect.poll(() => hearsOfMo(cys)).toBe(true);
    await fileReport(app, cy, harassment);
    await expect.poll(() => hearsOfMo(cys)).toBe(false);

    const jo = await makeModerator(app);
    const jos = await device(here, jo.token);
    jos.socket.emit('openCase', { caseId });
    await expect.poll(() => hearsOfMo(jos)).toBe(true);
    await app.pool.query(`update account set staff_role = 'analyst' where id = $1`, [jo.id]);
    // Represents any change of a report or case, which happen all day.
    await fileReport(app, await makeMember(app));
    await expect.poll(() => hearsOfMo(jos)).toBe(false);
    expect(jos.ended).toBe(null);
  });
});

describe('members', () => {
  test('are notified of a like without the sender’s name', async () => {
    const [ada, bo] = [
      await makeMember(app, { gender: 'woman', seeking: ['man'] }),
      await makeMember(app, { gender: 'man', seeking: ['woman'] }),
    ];
    const phones = [await device(here, ada.token), await device(there.url, ada.token)];
    const his = await device(here, bo.token);
    await likesIn(() => app).like(bo, ada);
    const changes = { ...(await newsOf(ada)), read: [] };
    expect(changes).toMatchObject({ added: [{ kind: 'like', user: null, subjectId: null }], unread: 1 });
    for (const phone of phones) await expect.poll(() => phone.heard, within).toEqual([{ kind: 'news', changes }]);
    expect(his.heard).toEqual([]);
  });

  test('are notified of new matches, and of reads on their other devices', async () => {
    const [ada, bo] = [await makeMember(app), await makeMember(app, { firstName: 'Bo' })];
    const [own, his] = [await device(here, ada.token), await device(there.url, bo.token)];
    const id = await match(ada, bo);
    const added = async (who: TestMember) => ({ kind: 'news', changes: { ...(await newsOf(who)), read: [] } });
    await expect.poll(() => heardOf(own, 'news').length, within).toBeGreaterThan(0);
    expect(heardOf(own, 'news').at(-1)).toEqual(await added(ada));
    expect(await newsOf(ada)).toMatchObject({ unread: 1, added: [{ subjectId: id, user: { firstName: 'Bo' } }] });
    // A member who likes back has seen the match.
    await expect.poll(() => heardOf(his, 'news').at(-1), within).toEqual(await added(bo));
    own.heard.length = 0;
    const [{ _id: newsId } = { _id: '' }] = (await newsOf(ada)).added;
    await app.call(readNotifications, { token: ada.token, body: { ids: [newsId] } });
    await expect
      .poll(() => own.heard, within)
      .toEqual([{ kind: 'news', changes: { added: [], read: [newsId], unread: 0 } }]);
  });

  test('are notified of nothing about someone they can no longer see', async () => {
    const { ada, bo, id } = await pair();
    await app.pool.query('update account set leaving_since = now() where id = $1', [bo.id]);
    const own = await device(here, ada.token);
    await app.pool.query("update notification set at = at + interval '1 second' where subject_id = $1", [id]);
    await match(ada, await makeMember(app));
    await expect.poll(() => heardOf(own, 'news').length, within).toBeGreaterThan(0);
    const added = heardOf(own, 'news').flatMap((event) => (event.kind === 'news' ? (event.changes?.added ?? []) : []));
    expect(added.map(({ subjectId }) => subjectId)).not.toContain(id);
  });

  test('are notified of an answer to a report once it is visible', async () => {
    const [moderator, ada] = [await makeModerator(app), await makeMember(app)];
    const { _id } = await fileReport(app, ada);
    const phone = await device(there.url, ada.token);
    await leaveNote(app, moderator, _id, 'An internal note');
    await answer(app, moderator, _id, 'CANARYANSWER');
    await expect.poll(() => phone.heard.length, within).toBe(1);
    expect(phone.heard).toEqual([{ kind: 'news', changes: { ...(await newsOf(ada)), read: [] } }]);
    expect(phone.heard).toMatchObject([{ changes: { added: [{ kind: 'report', subjectId: _id }] } }]);
  });
});
