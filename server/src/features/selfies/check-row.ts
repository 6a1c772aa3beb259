import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/schema.ts';

/** One attempt to be photo verified. The storage keys are null once the selfies are deleted. */
export type SelfieCheckRow = Selectable<Database['selfie_check']>;

/** Clearing the keys makes the database schedule the deletion of the bytes. */
export const withoutSelfies = { front_key: null, posed_key: null };
