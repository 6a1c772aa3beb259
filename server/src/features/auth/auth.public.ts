export { demandStaffPassword } from './auth.password.service.ts';
export { checkAge } from './auth.policy.ts';
