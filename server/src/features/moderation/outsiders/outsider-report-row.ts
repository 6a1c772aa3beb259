import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/schema.ts';

/** What someone who is not a member told us. */
export type OutsiderReport = Selectable<Database['outsider_notice']>;
