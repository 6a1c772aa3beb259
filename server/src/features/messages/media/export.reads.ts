import type { Selectable } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import type { StoredMedia } from '#platform/db/json.ts';
import { kinds } from './kinds.ts';
import { isNotOver } from './withdraw.ts';

const readAtOnce = 200;

/** The name of a file of a message in a data export. */
export const exportedName = ({ id, kind }: Pick<StoredMedia, 'id' | 'kind'>): string =>
  `messages/${id}${kinds[kind].extension}`;

/** A member's uploads for messages that have not expired: their names in a data export, and their stored files. */
export async function* messageFiles(
  db: Db,
  accountId: string,
  now: Date,
): AsyncGenerator<[name: string, file: string][]> {
  let after = '';
  for (;;) {
    const rows: Pick<Selectable<Database['message_media']>, 'id' | 'kind' | 'object_key'>[] = await db
      .selectFrom('message_media')
      .select(['id', 'kind', 'object_key'])
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .where(isNotOver(now))
      .orderBy('id')
      .limit(readAtOnce)
      .execute();
    yield rows.map((row) => [exportedName(row), `${row.object_key}${kinds[row.kind].stored}`]);
    const last = rows.at(-1);
    if (last === undefined || rows.length < readAtOnce) return;
    after = last.id;
  }
}
