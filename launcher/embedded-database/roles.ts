import { createHmac } from 'node:crypto';
import { withClient } from '#platform/db/connection.ts';
import { databaseName } from './cluster.ts';
import type { EmbeddedDatabase } from './embedded-database.ts';

/** The role of serving processes. `heartwood`, which owns and migrates the tables, is a member of it. */
const servingRole = 'heartwood_app';

/** The address of the database for the serving role, whose password doesn't reveal the owner's. */
export function servingUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.password = createHmac('sha256', url.password).update(servingRole).digest('base64url');
  url.username = servingRole;
  return url.href;
}

/**
 * Creates the serving role, and makes the right role the owner of everything in the database: in folders of releases before
 * there were two roles everything has one owner, and a restored dump may have another.
 */
export async function prepareRoles({
  url,
  superuserUrl,
}: Pick<EmbeddedDatabase, 'url' | 'superuserUrl'>): Promise<void> {
  const { password } = new URL(servingUrlOf(url));
  await withClient(superuserUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [servingRole]);
    const verb = rowCount === 0 ? 'create' : 'alter';
    await client.query(`begin; ${verb} role ${servingRole} login password '${password}';
      grant ${servingRole} to ${databaseName}; ${settleOwners}; commit`);
  });
}

/**
 * The job queue belongs to the serving role, because its tables let no one else see their rows, and so do the tables of the payment sandbox,
 * which creates them when it serves; everything else belongs to the owner.
 */
const settleOwners = `
do $$ declare command text; begin
  for command in
    with place as (
      select oid, nspname, nspowner,
        (case when nspname in ('graphile_worker', 'sandbox') then '${servingRole}' else '${databaseName}' end)::regrole as owner
      from pg_namespace where nspname in ('public', 'logic', 'audit', 'sandbox', 'graphile_worker')
    ), thing as (
      select 'pg_class'::regclass as kind, c.oid, 'table ' || c.oid::regclass as name, c.relnamespace as place, c.relowner as owner
        from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'S')
          and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
            and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S')
      union all
      select 'pg_proc'::regclass, f.oid, 'routine ' || f.oid::regprocedure, f.pronamespace, f.proowner from pg_proc f
      union all
      select 'pg_type'::regclass, t.oid, 'type ' || t.oid::regtype, t.typnamespace, t.typowner from pg_type t
        left join pg_class c on c.oid = t.typrelid where t.typtype in ('e', 'd') or c.relkind = 'c'
    )
    select format('alter %s owner to %s', thing.name, place.owner) from thing join place on place.oid = thing.place
      where thing.owner <> place.owner and not exists (select from pg_depend d
        where d.classid = thing.kind and d.objid = thing.oid and d.deptype = 'e')
    union all
    select format('alter schema %I owner to %s', nspname, owner) from place where nspowner <> owner and nspname <> 'public'
  loop execute command; end loop;
end $$`;
