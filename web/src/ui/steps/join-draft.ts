import { type Edits, readDraft } from '../form/drafts.ts';

/** The name under which the answers stay in this tab until the address is confirmed: never the password, nor a child's birth date. */
export const joinDraft = 'join';

/** The answers that were given before an account existed, including by people who then joined with Google or Facebook. */
export const answeredBefore = (): Edits => readDraft<Edits>(joinDraft) ?? {};

/** One of these answers; empty if there is none. */
export const typedBefore = (field: string): string => String(answeredBefore()[field]?.value ?? '');
