import type pg from 'pg';

/**
 * Records the days on which the members were active: often at first, less often later, and always the same. The day of their last visit is
 * already recorded.
 */
export async function noteVisits(client: pg.Client): Promise<void> {
  await client.query(`
    insert into active_days as a (account_id, month, days)
    select account_id, date_trunc('month', day)::date, bit_or(1 << (extract(day from day)::int - 1)) from (
      select account.id as account_id, day, extract(epoch from day - account.created_at) / 86400 as age,
        ('x' || left(md5(account.id || day::text), 4))::bit(16)::int % 1000 as draw
      from account join presence p on p.account_id = account.id
        cross join lateral generate_series(date_trunc('day', account.created_at), p.last_active_at, '1 day') day
      where isfinite(p.last_active_at)
    ) days
    where age < 0 or draw < 400 * exp(-age / 25) + 25
    group by 1, 2
    on conflict (account_id, month) do update set days = a.days | excluded.days`);
}
