import type { Columns } from './columns.ts';
import type { DB } from './generated/tables.ts';

/** A table with the types of some columns replaced. */
type Narrowed<Table, Narrow> = {
  [Column in keyof Table]: Column extends keyof Narrow ? Narrow[Column] : Table[Column];
};

/**
 * The database as Kysely sees it: the types generated from its tables by `npm run tables`, with those of `columns.ts`. Read models
 * are written only by triggers.
 */
export type Database = {
  [Table in keyof DB]: Table extends keyof Columns ? Narrowed<DB[Table], Columns[Table]> : DB[Table];
};
