import type { RawBuilder } from 'kysely';

/** The file of the data export in which a member finds what a table has. */
type ExportedAs = `${string}.json` | `${string}/`;

/**
 * Why a table is not in the data export.
 * - `secret`: it opens an account, or is the digest of what does.
 * - `inner`: the product counts, copies or sends with it; what it says about someone is in other tables.
 * - `team`: what staff and rules found or wrote; a person answers requests for it (decision 6).
 * - `staff`: the work of staff, whose accounts belong to the service.
 * - `outsider`: it is about people without an account.
 * - `nameless`: no id, name or word in it leads to a member.
 */
export type Unexported = 'secret' | 'inner' | 'team' | 'staff' | 'outsider' | 'nameless';

/** When a row is over: at a time, some days or hours after it, or on a condition. */
export type End<Column extends string = string> =
  Column | `${number} ${'days' | 'hours'} after ${Column}` | ((now: Date) => RawBuilder<unknown>);

/** The accounts or the case in these columns, or a condition. */
type HeldBy<Column extends string> = Column | readonly Column[] | (() => RawBuilder<boolean>);

/** What jobs delete before the account goes. */
interface Deleted<Column extends string> {
  /** The job that deletes rows, and when they are over. Without an end, the job has a statement of its own. */
  until: readonly [job: string, ...ends: End<Column>[]];
  /** Rows per statement, if each of them takes many others along. */
  atOnce?: number;
}

/** Whose legal hold keeps rows from jobs, which is that of `account_id` unless said otherwise; or why none does. */
type Held<Column extends string> =
  | ('account_id' extends Column
      ? { heldBy?: HeldBy<Column>; unheld?: never }
      : { heldBy: HeldBy<Column>; unheld?: never })
  | { unheld: string; heldBy?: never };

/**
 * What is kept about people in a table. Whose a row is, its foreign keys say: it is deleted with the account, or stays without it. Only
 * columns without one are listed.
 */
export type Row<Column extends string = string> = {
  exportAs: ExportedAs | Unexported;
  /** Columns with ids without a foreign key: their rows are deleted with the account. */
  owner?: Column | readonly Column[];
  /** Columns that are emptied with the account in the first one, which has no foreign key. */
  erased?: readonly Column[];
} & ((Deleted<Column> & Held<Column>) | { until?: never; atOnce?: never; heldBy?: never; unheld?: never });
