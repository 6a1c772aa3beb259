export { checkCurrentPassword, demandStaffPassword } from './password/password.ts';
export { checkAge } from './policy.ts';
export { accountData } from './retention/account-data.reads.ts';
