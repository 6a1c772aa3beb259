import { sql } from 'kysely';
import { endMatch, type EndingContext } from './match.ts';
import { lockPair } from './pair.ts';

/** Why two people no longer see each other; see `hide`. */
interface Hiding {
  blockerId: string;
  blockedId: string;
  how: 'listed' | 'unlisted' | 'unmatch';
}

/**
 * Hides two people from each other on behalf of the first, and ends their match. Hiding them again changes nothing. An unanswered like
 * stays, so that members can't find out from their own likes who blocked them. Only `listed` appears in the list of blocks; `unlisted` is
 * for reporters, `unmatch` for ended matches, which can't be undone.
 */
export async function hide(context: EndingContext, { blockerId, blockedId, how }: Hiding): Promise<void> {
  const { tx, now } = context;
  await lockPair(tx, blockerId, blockedId);
  await endMatch(context, blockerId, blockedId);
  await sql`
    insert into block as b (blocker_id, blocked_id, created_at, is_listed, by_unmatch)
    values (${blockerId}::uuid, ${blockedId}::uuid, ${now}, ${how === 'listed'}, ${how === 'unmatch'})
    on conflict (blocker_id, blocked_id) do update set
      created_at = case when excluded.is_listed and not b.is_listed then excluded.created_at else b.created_at end,
      is_listed = b.is_listed or excluded.is_listed,
      by_unmatch = b.by_unmatch or excluded.by_unmatch`.execute(tx);
}
