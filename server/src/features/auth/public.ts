export { endUserSessions } from './staff.ts';
export { noteTrace } from './accounts.ts';
export { demandStaffPassword } from './password/password.ts';
export { judgeProof, requireProof, withProof } from './password/proof.ts';
export { endSecondSteps } from './session/challenges.ts';
export { checkAge } from './policy.ts';
export { recordAct } from './retention/ledger.ts';
export type { LedgerContent, MissedSanction } from './tables.ts';
export { accountData } from './retention/account-data.reads.ts';
