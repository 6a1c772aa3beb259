import type { RawBuilder } from 'kysely';

/** The file of the data export that contains a member's data from a table. */
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

/** When a row expires: at a time, some days or hours after it, or on a condition. */
export type End<Column extends string = string> =
  Column | `${number} ${'days' | 'hours'} after ${Column}` | ((now: Date) => RawBuilder<unknown>);

/** The accounts or the case in these columns, or a condition. */
type HeldBy<Column extends string> = Column | readonly Column[] | (() => RawBuilder<boolean>);

/** Rows that jobs delete before the account is deleted. */
interface Deleted<Column extends string> {
  /** The job that deletes rows, and when they expire. Without an expiry, the job has its own statement. */
  until: readonly [job: string, ...ends: End<Column>[]];
  /** Rows per statement, if each of them deletes many others. */
  atOnce?: number;
}

/** The accounts whose legal hold keeps rows from jobs, by default those in `account_id`; or why none does. */
type Held<Column extends string> =
  | ('account_id' extends Column
      ? { heldBy?: HeldBy<Column>; unheld?: never }
      : { heldBy: HeldBy<Column>; unheld?: never })
  | { unheld: string; heldBy?: never };

/**
 * What is stored about people in a table. The owner of a row is determined by its foreign keys: it is deleted with the account, or stays
 * without it. Only columns without one are listed.
 */
export type Row<Column extends string = string> = {
  exportAs: ExportedAs | Unexported;
  /** Columns with ids without a foreign key: their rows are deleted with the account. */
  owner?: Column | readonly Column[];
  /** Columns that are cleared with the account in the first one, which has no foreign key. */
  erased?: readonly Column[];
} & ((Deleted<Column> & Held<Column>) | { until?: never; atOnce?: never; heldBy?: never; unheld?: never });
