import { sql } from 'kysely';
import type { DeckOrder } from '#contract/discovery/discovery.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { KeptWishes } from '../tables.ts';
import { gendersOf, statedOf, type StatedRow } from './codes.ts';
import type { Viewer } from './rows.ts';

/** The viewer's row with learned values, preferences and the state of their deck. */
export interface ViewerRow extends StatedRow {
  is_vip: boolean;
  /** Gender, appeal and selectivity towards it. */
  standings: [number, number, number][];
  wanted_order: DeckOrder | null;
  wishes: KeptWishes | null;
  /** Null without a deck. */
  deck_made_at: Date | null;
  /** Version of everything the deck depends on, and whether it changed since the deck was built. */
  deck_changes: number;
  deck_is_stale: boolean;
}

/** The viewer as discovery needs them, in one query; undefined for members outside discovery. */
export async function viewerRow(db: Db, accountId: string): Promise<ViewerRow | undefined> {
  const { rows } = await sql<ViewerRow>`/* prepared */
    select r.*, p.wishes ->> 'order' as wanted_order, p.wishes, d.made_at as deck_made_at, coalesce(d.changes, 0) as deck_changes,
      coalesce(d.changes <> d.made_for, false) as deck_is_stale,
      array(select jsonb_build_array(s.gender, s.appeal, s.selectivity) from standing s where s.account_id = r.account_id)
        as standings
    from discovery_row r
      left join preference p on p.account_id = r.account_id
      left join deck d on d.viewer_id = r.account_id
    where r.account_id = ${accountId}::uuid and r.gender > 0`.execute(db);
  return rows[0];
}

/** The viewer as the score needs them. */
export function viewerOf(row: ViewerRow, now: Date): Viewer {
  const standing: Viewer['standing'] = {};
  for (const [gender, appeal, selectivity] of row.standings) {
    const [name] = gendersOf(gender);
    if (name !== undefined) standing[name] = { appeal, selectivity };
  }
  return { ...statedOf(row, now), standing };
}
