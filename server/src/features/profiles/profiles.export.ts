import { stringify } from 'csv-stringify/sync';
import type { Caller } from '../../platform/caller.ts';
import { actorOf, writeAudit } from '../../platform/audit.ts';
import { inTransaction, type Db } from '../../platform/db.ts';
import { eachUser, type UserFilters } from './profiles.list.reads.ts';
import { toListedUser } from './profiles.views.ts';
import type { ListedUser } from '#contract/user.ts';

const columns: [title: string, value: (user: ListedUser) => string | number | null][] = [
  ['User ID', (user) => user._id],
  ['First name', (user) => user.firstName],
  ['Last name', (user) => user.lastName],
  ['Email', (user) => user.email],
  ['Email verified', (user) => yesOrNo(user.isEmailVerified)],
  ['Joined (UTC)', (user) => forPeople(user.createdAt)],
  ['Last active (UTC)', (user) => (user.lastActive === null ? 'Never' : forPeople(user.lastActive))],
  ['Status', (user) => (!user.isActive ? 'Inactive' : user.isOnline ? 'Online' : 'Offline')],
  ['Subscription', (user) => (user.isVIP ? 'Premium' : 'Free')],
  ['Profile complete', (user) => yesOrNo(user.profileComplete)],
  ['Age', (user) => user.age],
  ['Gender', (user) => user.gender],
  ['City', (user) => user.location?.city ?? null],
  ['Country', (user) => user.location?.country ?? null],
  ['Staff role', (user) => user.staffRole],
];

const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No');
const forPeople = (moment: string) => moment.slice(0, 19).replace('T', ' ');

/** Lines as RFC 4180 has them; a cell that a spreadsheet would take for a formula begins with an apostrophe. */
const asCsv = (records: unknown[][]) =>
  stringify(records, { escape_formulas: true, quoted_string: true, record_delimiter: 'windows' });

/** Records who exports which users, before the first of them leaves. */
export async function noteExport(db: Db, caller: Caller, filters: UserFilters, now: Date): Promise<void> {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  await inTransaction(db, (tx) =>
    writeAudit(
      tx,
      {
        actor: actorOf(caller),
        action: 'users.exported',
        target: { type: 'users', id: null },
        changes: Object.fromEntries(given.map(([name, to]) => [name, { from: null, to }])),
      },
      now,
    ),
  );
}

/** All users the filters fit as CSV, batch by batch: the next one is read when the last one has been taken. */
export async function* usersAsCsv(db: Db, caller: Caller, filters: UserFilters, now: Date): AsyncGenerator<string> {
  // Without the mark at the beginning, spreadsheets take the text for Latin-1.
  yield `\uFEFF${asCsv([columns.map(([title]) => title)])}`;
  for await (const rows of eachUser(db, caller, filters)) {
    const users = rows.map((row) => toListedUser(row, caller, now));
    yield asCsv(users.map((user) => columns.map(([, value]) => value(user))));
  }
}
