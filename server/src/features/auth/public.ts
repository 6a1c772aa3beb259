export { checkCurrentPassword, demandStaffPassword } from './password/password.ts';
export { checkAge } from './policy.ts';
export { accountData } from './retention/takeout.reads.ts';
