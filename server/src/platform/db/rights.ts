import pg from 'pg';
import { StartError } from '../process/lifecycle.ts';

/** The extensions that the tables use. They are trusted, so a role without superuser rights may create them. */
const extensions = ['pg_trgm'];

/** The serving role if another role owns the tables, with names quoted for SQL. */
export interface ServingRole {
  role: string;
  database: string;
  /** Whether it may create the schema of the job queue. */
  mayCreate: boolean;
}

interface Rights {
  role: string;
  database: string;
  mayUseSchema: boolean;
  mayCreateInSchema: boolean;
  mayCreateInDatabase: boolean;
  mayUseTemporaryTables: boolean;
  mayGrantOnDatabase: boolean;
}

interface Extension {
  name: string;
  /** The schema of the extension, if it is installed. */
  schema: string | null;
  isAvailable: boolean;
  mayBeCreated: boolean;
}

const rightsQuery = `
  select quote_ident(current_user) as role, quote_ident(current_database()) as database,
    has_schema_privilege('public', 'usage') as "mayUseSchema", has_schema_privilege('public', 'create') as "mayCreateInSchema",
    has_database_privilege(current_database(), 'create') as "mayCreateInDatabase",
    has_database_privilege(current_database(), 'temporary') as "mayUseTemporaryTables",
    has_database_privilege(current_database(), 'create with grant option')
      and has_database_privilege(current_database(), 'temporary with grant option') as "mayGrantOnDatabase"`;

const extensionsQuery = `
  select asked.name, n.nspname as schema, v.name is not null as "isAvailable",
    coalesce(v.trusted or not v.superuser, false) or (select rolsuper from pg_roles where rolname = current_user) as "mayBeCreated"
  from unnest($1::text[]) as asked (name)
    left join pg_extension e on e.extname = asked.name
    left join pg_namespace n on n.oid = e.extnamespace
    left join pg_available_extensions a on a.name = asked.name
    left join pg_available_extension_versions v on v.name = a.name and v.version = a.default_version`;

/**
 * Throws a `StartError` unless the role of `client` may create everything that a migration creates, and grant a
 * different serving role its share.
 */
export async function refuseMissingRights(client: pg.ClientBase, serving: ServingRole | null): Promise<void> {
  const [rights] = (await client.query<Rights>(rightsQuery)).rows;
  if (rights === undefined) return;
  const { role, database } = rights;
  const grants = missingGrants(rights);
  if (grants.length > 0) {
    throw new StartError(
      `The role ${role} may not create what is needed in the database ${database}: as a superuser, run ${grants.join('; ')}.`,
    );
  }
  if (serving !== null && !serving.mayCreate && !rights.mayGrantOnDatabase) {
    throw new StartError(
      `The role ${role} may not give the role ${serving.role} its rights: as a superuser, run grant create, temporary on database ${database} to ${serving.role}.`,
    );
  }
  for (const extension of (await client.query<Extension>(extensionsQuery, [extensions])).rows)
    refuseExtension(extension, database);
}

function missingGrants(rights: Rights): string[] {
  const ofSchema = rights.mayUseSchema && rights.mayCreateInSchema;
  const ofDatabase = rights.mayCreateInDatabase && rights.mayUseTemporaryTables;
  return [
    ...(ofSchema ? [] : [`grant usage, create on schema public to ${rights.role}`]),
    ...(ofDatabase ? [] : [`grant create, temporary on database ${rights.database} to ${rights.role}`]),
  ];
}

function refuseExtension({ name, schema, isAvailable, mayBeCreated }: Extension, database: string): void {
  if (schema !== null && schema !== 'public' && schema !== 'pg_catalog') {
    throw new StartError(
      `The extension ${name} is in the schema ${pg.escapeIdentifier(schema)} of the database ${database}: as a superuser, run alter extension ${name} set schema public.`,
    );
  }
  if (schema !== null) return;
  if (!isAvailable) {
    throw new StartError(
      `The database server does not have the extension ${name}: install PostgreSQL's contrib package on it.`,
    );
  }
  if (!mayBeCreated) {
    throw new StartError(
      `The extension ${name} is missing: as a superuser, run create extension ${name} schema public in the database ${database}.`,
    );
  }
}
