import { sql } from 'kysely';
import type { Config } from '#platform/config/config.ts';
import type { Db } from '#platform/db/db.ts';
import { reasonOf } from '../identity/providers/provider.ts';

/** Sentences that explain what keeps staff from signing in with the house's account; empty if nothing does. */
export async function lookAtHouse({ config: { house, publicUrl }, db }: { config: Config; db: Db }): Promise<string[]> {
  if (house === null) return [];
  const { createHouse } = await import('./provider.ts');
  const unanswered = await createHouse({ config: house, publicUrl, secret: '' }, fetch)
    .begin('')
    .then(
      () => [],
      (error: unknown) => [
        `STAFF_OIDC_ISSUER gives no answer of an OpenID provider with that name (${reasonOf(error) ?? 'no reason'}).`,
      ],
    );
  return [
    ...unanswered,
    ...(house.passwordOwner === null ? [] : await lookAtPasswords(db, house.issuer, house.passwordOwner)),
  ];
}

async function lookAtPasswords(db: Db, issuer: string, owner: string): Promise<string[]> {
  const { rows } = await sql<{ owners: number; unlinked: number }>`
    select count(*) filter (where email = ${owner} and staff_role = 'owner' and (
        exists (select from totp_factor f where f.account_id = a.id) or exists (select from passkey k where k.account_id = a.id)
      ))::int as owners,
      count(*) filter (where email <> ${owner} and not exists (
        select from house_person p where p.account_id = a.id and p.issuer = ${issuer}))::int as unlinked
    from account a where staff_role is not null and is_active and leaving_since is null`.execute(db);
  const { owners = 0, unlinked = 0 } = rows[0] ?? {};
  return [
    ...(owners > 0
      ? []
      : ['STAFF_PASSWORD_OWNER is no active owner with a second factor: no one gets in without the provider.']),
    ...(unlinked === 0
      ? []
      : [`Staff who can't sign in, because they aren't linked and passwords are off: ${unlinked}.`]),
  ];
}
