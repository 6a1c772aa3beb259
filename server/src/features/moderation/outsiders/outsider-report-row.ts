import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/schema.ts';

/** A report by someone who is not a member. */
export type OutsiderReport = Selectable<Database['outsider_notice']>;
