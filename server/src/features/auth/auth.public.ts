export { checkCurrentPassword, demandStaffPassword } from './auth.password.service.ts';
export { checkAge } from './auth.policy.ts';
export { accountData } from './auth.takeout.reads.ts';
