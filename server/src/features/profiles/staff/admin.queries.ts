import type { StaffRole } from '#contract/profiles/user.ts';
import type { Db } from '../../../platform/db/db.ts';

/** The facts that decide whether an account can be activated, deactivated or given a role. */
export interface AccountState {
  id: string;
  staff_role: StaffRole | null;
  is_active: boolean;
  email_verified_at: Date | null;
  leaving_since: Date | null;
}

/**
 * The account and, with `withAdministrators`, those of all administrators, held until the transaction ends. Always locked in
 * the order of their ids, so that two who change each other wait instead of blocking one another.
 */
export async function lockAccounts(tx: Db, id: string, withAdministrators: boolean): Promise<AccountState[]> {
  const administrators = withAdministrators
    ? await tx.selectFrom('account').select('id').where('staff_role', '=', 'admin').execute()
    : [];
  return await tx
    .selectFrom('account')
    .select(['id', 'staff_role', 'is_active', 'email_verified_at', 'leaving_since'])
    // A list of values instead of a subquery: after waiting for a lock PostgreSQL re-evaluates conditions without subqueries.
    .where('id', 'in', [id, ...administrators.map((row) => row.id)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Activates an account. */
export async function activate(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('account')
    .set({ is_active: true, deactivated_at: null, deactivation_reason: null })
    .where('id', '=', id)
    .execute();
}

/** Deactivates an account, with a reason the member can read, and takes it offline. */
export async function deactivate(tx: Db, id: string, reason: string, now: Date): Promise<void> {
  await tx
    .updateTable('account')
    .set({ is_active: false, deactivated_at: now, deactivation_reason: reason })
    .where('id', '=', id)
    .execute();
  await tx.updateTable('presence').set({ online: false }).where('account_id', '=', id).execute();
  await tx
    .updateTable('directory')
    .set({ online: false })
    .where('account_id', '=', id)
    .where('online', '=', true)
    .execute();
}

/** Gives an account a staff role, or none. */
export async function setStaffRole(tx: Db, id: string, role: StaffRole | null): Promise<void> {
  await tx.updateTable('account').set({ staff_role: role }).where('id', '=', id).execute();
}
