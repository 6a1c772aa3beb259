import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../../test/harness.ts';
import { deleteWhere } from './due-rows.ts';

describe('deleteWhere', () => {
  it('deletes every row that matches, however many there are, and no others', async () => {
    const { db, close } = await startApp();
    await sql`insert into refused_address (address_hash, refused_until)
      select int4send(n), '2026-01-01'::timestamptz + make_interval(days => n % 2) from generate_series(1, 9000) n`.execute(
      db,
    );
    await deleteWhere(db, 'refused_address', sql`refused_until <= '2026-01-01'`);
    const { rows } = await sql`select refused_until = '2026-01-02' as "isLater", count(*)::int from refused_address
      group by 1`.execute(db);
    expect(rows).toEqual([{ isLater: true, count: 4500 }]);
    await close();
  });

  it('deletes in batches, skips rows that cannot be deleted, and reports those', async () => {
    const { db, close } = await startApp();
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`.execute(
      db,
    );
    await sql`create trigger refuse before delete on refused_address for each row
      when (old.address_hash in (int4send(1), int4send(150))) execute function refuse()`.execute(db);
    await sql`insert into refused_address (address_hash, refused_until)
      select int4send(n), '2026-01-01' from generate_series(1, 1000) n`.execute(db);
    const deleting = deleteWhere(db, 'refused_address', sql`refused_until < now() or false`, 100);
    await expect(deleting).rejects.toThrow(/^2 failed.*refused by the test/);
    const { rows } = await sql`select address_hash from refused_address order by 1`.execute(db);
    expect(rows).toEqual([1, 150].map((n) => ({ address_hash: Buffer.from([0, 0, 0, n]) })));
    await close();
  });
});
