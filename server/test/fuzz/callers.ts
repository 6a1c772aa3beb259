import { sql } from 'kysely';
import { makeMember, type TestMember } from '../factories.ts';
import { makePerson, password, passwordHash } from '../guards/people.ts';
import type { TestApp } from '../harness.ts';
import type { CallerName } from './request-values.ts';
import type { Known } from './schema-values.ts';

type SignedIn = Exclude<CallerName, 'visitor'>;

/** The accounts that send generated requests; accounts that are locked out are replaced. */
export interface Callers {
  get(name: CallerName): TestMember | null;
  /** An account that requests may be about. */
  readonly other: TestMember;
  /** Replaces that account, because it may have been blocked, suspended or liked. */
  meetAnother(): Promise<void>;
  /**
   * Replaces callers that a request has restricted (no session, another role or password, an unfinished profile), and
   * resets daily counts, second factors and open requests for approval.
   */
  revive(): Promise<void>;
  /** Values for fields of requests. */
  known: Known;
  /** Remembers ids from an answer for later requests. */
  learn(answer: string): void;
}

const learnedAtMost = 40;

/** Creates the callers, and some members they can find. */
export async function makeCallers(test: TestApp): Promise<Callers> {
  const make = async (name: SignedIn) => {
    const person = await makePerson(test, name);
    if (person === null) throw new Error('a person was expected');
    return person;
  };
  const people: Record<SignedIn, TestMember> = {
    member: await make('member'),
    moderator: await make('moderator'),
    administrator: await make('administrator'),
  };
  let other = await make('member');
  const found = await Promise.all([
    makeMember(test, {
      firstName: 'Zoë',
      lastName: 'Núñez',
      vip: true,
      city: 'Wien',
      country: 'Austria',
      latitude: 48.195,
      longitude: 16.38,
    }),
    makeMember(test, { firstName: null, lastName: null, gender: null, birthDate: null, city: null, country: null }),
    makeMember(test, { deactivated: 'Spam' }),
    makeMember(test, { leaving: true }),
    makeMember(test, { verified: false, lastActiveAt: new Date('2026-06-14T00:00:00Z'), online: true }),
  ]);
  const learned: Record<string, string[]> = {};
  const everyone = () => [...Object.values(people), other, ...found];

  const values: Record<string, () => unknown[]> = {
    id: () => [
      ...everyone().map(({ id }) => id),
      ...everyone().map(({ sessionId }) => sessionId),
      ...(learned['_id'] ?? []),
    ],
    targetId: () => everyone().map(({ id }) => id),
    actorId: () => everyone().map(({ id }) => id),
    email: () => everyone().map((person) => person.email),
    to: () => everyone().map((person) => person.email),
    password: () => [password, 'another fine secret'],
    currentPassword: () => [password],
    token: () => [...(learned['restoreToken'] ?? []), other.refreshToken],
    refreshToken: () => [other.refreshToken, ...(learned['refreshToken'] ?? [])],
    verificationToken: () => learned['verificationToken'] ?? [],
    cursor: () => [
      ...(learned['nextCursor'] ?? []),
      ...(learned['nextCursor'] ?? []).map((cursor) => cursor.slice(0, -3)),
    ],
    code: () => ['000000', '123456'],
    questionId: () => ['tidiness', 'flirting'],
    search: () => ['Zo', 'zoë', 'Member', 'Member1', 'example.test', 'a', '  '],
    page: () => ['1', '2', '1000000'],
    limit: () => ['1', '20', '100', '101', '1000', '1001'],
    city: () => ['Wien', 'Prague'],
    country: () => ['Austria', 'Czechia'],
    birthDate: () => ['1990-05-05', '2008-06-15', '2008-06-16', '0000-01-01', '0001-01-01'],
  };

  return {
    get: (name) => (name === 'visitor' ? null : people[name]),
    get other() {
      return other;
    },
    async meetAnother() {
      other = await make('member');
    },
    async revive() {
      const fit = await fitCallers(test, people);
      for (const name of ['member', 'moderator', 'administrator'] as const) {
        if (!fit.has(people[name].sessionId)) people[name] = await make(name);
      }
      const ids = Object.values(people).map(({ id }) => id);
      const owners = {
        place_move: 'account_id',
        verification: 'account_id',
        totp_factor: 'account_id',
        passkey: 'account_id',
        identity: 'account_id',
        approval: 'requested_by',
      };
      const deletions = Object.entries(owners).map(
        ([table, owner]) =>
          sql`${sql.id(`of_${table}`)} as (delete from ${sql.table(table)} where ${sql.id(owner)} = any (${ids}::uuid[]))`,
      );
      await sql`with ${sql.join(deletions)} delete from login_attempt where subject like 'codes:%'`.execute(test.db);
    },
    known: (name) => (Object.hasOwn(values, name) ? (values[name]?.() ?? []) : []),
    learn(answer) {
      for (const [, name = '', value = ''] of answer.matchAll(
        /"(_id|refreshToken|verificationToken|restoreToken|nextCursor)":"([^"]{1,600})"/g,
      )) {
        learned[name] = [value, ...(learned[name] ?? [])].slice(0, learnedAtMost);
      }
    },
  };
}

/** The sessions of these accounts that are still unrestricted. */
async function fitCallers(test: TestApp, people: Record<SignedIn, TestMember>): Promise<Set<string>> {
  const rows = await test.db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .innerJoin('profile', 'profile.account_id', 'account.id')
    .select(['session.id', 'account.staff_role'])
    .where(
      'session.id',
      'in',
      Object.values(people).map((person) => person.sessionId),
    )
    .where('account.is_active', '=', true)
    .where('account.leaving_since', 'is', null)
    .where('account.email_verified_at', 'is not', null)
    .where('account.password_hash', '=', await passwordHash())
    .where('profile.complete', '=', true)
    .execute();
  const roles: Record<string, string | null> = {
    [people.member.sessionId]: null,
    [people.moderator.sessionId]: 'moderator',
    [people.administrator.sessionId]: 'admin',
  };
  return new Set(rows.filter((row) => row.staff_role === roles[row.id]).map(({ id }) => id));
}
