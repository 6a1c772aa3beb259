import type { StaffRole } from '#contract/profiles/user.ts';
import { AppError } from '../../platform/http/app-error.ts';
import { writeAudit } from '../../platform/db/audit.ts';
import { inTransaction, refusedConstraint, type Db } from '../../platform/db/db.ts';
import { hashPassword } from './password/passwords.ts';
import { checkPassword } from './policy.ts';
import { insertAccount } from './queries.ts';

/** Makes a member of staff with a verified address; 409 when the address is in use, 422 for a refused password. */
export async function createStaff(
  db: Db,
  account: { email: string; password: string; role: StaffRole },
  now: Date,
): Promise<string> {
  checkPassword(account.password, { email: account.email, names: [], isStaff: true });
  const passwordHash = await hashPassword(account.password);
  try {
    return await inTransaction(db, async (tx) => {
      const id = await insertAccount(
        tx,
        {
          email: account.email,
          passwordHash,
          passwordSuitsStaff: true,
          staffRole: account.role,
          emailVerifiedAt: now,
          firstName: account.role === 'admin' ? 'Administrator' : 'Moderator',
          lastName: null,
          birthDate: null,
          gender: null,
        },
        now,
      );
      await writeAudit(
        tx,
        {
          actor: { accountId: null, name: 'admin:create', role: 'operator' },
          action: 'administrator.created',
          target: { type: 'user', id },
          changes: { staffRole: { from: null, to: account.role } },
        },
        now,
      );
      return id;
    });
  } catch (error) {
    if (refusedConstraint(error) === 'account_email_key') throw new AppError('EMAIL_TAKEN', 'User already exists');
    throw error;
  }
}
