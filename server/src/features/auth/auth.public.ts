export { checkAge } from './auth.policy.ts';
