import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createAccessTokens } from '#platform/session/access-tokens.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { openSession } from '#platform/session/sessions.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';
import { bareUpload } from './pictures.ts';

/**
 * Inserts many members like those of `makeMember` in a few statements; they share a session device and have no other
 * data. `idOf` returns the account id for each number; by default it is random.
 */
export async function makeManyMembers(
  test: TestApp,
  count: number,
  idOf: (number: number) => string = () => randomUUID(),
): Promise<TestMember[]> {
  const now = test.clock.now();
  const given = Array.from({ length: count }, (_, index) => idOf(index + 1));
  const { rows } = await sql<{ id: string; email: string }>`
    insert into account (id, email, created_at, email_verified_at)
    select id, 'one-of-many-' || number || '@example.test', ${now}, ${now}
      from unnest(${given}::uuid[]) with ordinality as given (id, number)
    returning id, email`.execute(test.db);
  const ids = rows.map(({ id }) => id);
  await sql`insert into presence (account_id, last_active_at) select unnest(${ids}::uuid[]), ${now}`.execute(test.db);
  await sql`
    insert into profile (account_id, first_name, gender, birth_date, seeking, city, country)
    select unnest(${ids}::uuid[]), 'Member', 'woman', '1990-05-05', '{woman,man,non-binary}', 'Prague', 'Czechia'`.execute(
    test.db,
  );
  const pictures = ids.map((id) => ({
    ...bareUpload(`handle-of-${id}`, `without-bytes-of-${id}`, now),
    account_id: id,
    state: 'approved' as const,
    place: 0,
    claimed_at: now,
    decided_at: now,
  }));
  for (let from = 0; from < count; from += 500)
    await test.db
      .insertInto('picture')
      .values(pictures.slice(from, from + 500))
      .execute();
  const tokens = createAccessTokens(await installationSecret(test.db, 'jwt', null));
  const device = { name: 'Firefox on Linux', network: '192.0.2.0/24' };
  const made: TestMember[] = [];
  for (const { id, email } of rows)
    made.push({ id, email, ...(await openSession(test.db, { id, isStaff: false }, device, { tokens, now })) });
  return made;
}
