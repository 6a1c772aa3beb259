-- The dashboard's counters. Triggers append differences to `statistic_delta`; a job folds them into `statistic`.

-- Folds the appended changes into the counters, and notifies staff if there were any. Safe to run from several
-- processes at once.
create function logic.statistic_fold() returns void language plpgsql as $$
begin
  with taken as (delete from statistic_delta returning kind, key, delta)
  insert into statistic as s select kind, key, sum(delta) from taken group by 1, 2 order by 1, 2
  on conflict (kind, key) do update set value = s.value + excluded.value;
  if found then
    perform pg_notify('heartwood', json_build_object('what', 'statistics')::text);
  end if;
end $$;

-- The counters that one account counts in, besides those of `logic.refresh_online`.
create function logic.statistic_keys(d directory) returns table (kind text, key text) language sql immutable as $$
  select v.kind, v.key from (values
    ('total', 'users', true),
    ('total', 'vip', d.is_vip),
    ('total', 'active', d.is_active),
    ('total', 'verified', d.is_verified),
    ('total', 'complete', d.is_complete),
    ('totalVip', 'active', d.is_vip and d.is_active),
    ('totalVip', 'verified', d.is_vip and d.is_verified),
    ('joined', to_char(d.created_at at time zone 'UTC', 'YYYY-MM'), true),
    ('joinedVip', to_char(d.created_at at time zone 'UTC', 'YYYY-MM'), d.is_vip),
    ('gender', coalesce(d.gender, ''), true),
    ('bornMonth', to_char(d.birth_date, 'YYYY-MM'), d.birth_date is not null),
    ('bornDay', to_char(d.birth_date, 'YYYY-MM-DD'), d.birth_date is not null)
  ) as v (kind, key, counts) where v.counts
$$;

-- Also notifies the other side of every match when a member disappears from the directory or appears in it: by
-- leaving, suspension or anything else that hides them.
create function logic.directory_changed() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into statistic_delta
      select k.kind, k.key, count(*) from new_rows d cross join lateral logic.statistic_keys(d) k group by 1, 2;
    perform logic.refresh_online(array_agg(account_id)) from new_rows n
      where exists (select from presence p where p.account_id = n.account_id and p.online) having count(*) > 0;
  elsif tg_op = 'DELETE' then
    insert into statistic_delta
      select k.kind, k.key, -count(*) from old_rows d cross join lateral logic.statistic_keys(d) k group by 1, 2;
    perform logic.refresh_online(array_agg(account_id)) from old_rows d
      where exists (select from online_member o where o.account_id = d.account_id) having count(*) > 0;
    perform logic.notify_matches_of(account_id, 'match-ended') from old_rows where is_shown;
  else
    insert into statistic_delta
      select kind, key, sum(n) from (
        select k.kind, k.key, 1 as n from new_rows d cross join lateral logic.statistic_keys(d) k
        union all
        select k.kind, k.key, -1 from old_rows d cross join lateral logic.statistic_keys(d) k
      ) both_sides group by 1, 2 having sum(n) <> 0;
    with changed as (
      update online_member o set name_sort = n.name_sort, search_text = n.search_text, is_vip = n.is_vip
        from new_rows n join online_member before on before.account_id = n.account_id
        where o.account_id = n.account_id
          and (o.name_sort, o.search_text, o.is_vip) is distinct from (n.name_sort, n.search_text, n.is_vip)
        returning n.is_vip::int - before.is_vip::int as vips
    )
    insert into statistic_delta (kind, key, delta) select 'totalVip', 'online', sum(vips) from changed having sum(vips) <> 0;
    perform logic.notify_matches_of(n.account_id, case when n.is_shown then 'match' else 'match-ended' end)
      from new_rows n join old_rows o on o.account_id = n.account_id where o.is_shown <> n.is_shown;
  end if;
  return null;
end $$;
create trigger directory_inserted after insert on directory
  referencing new table as new_rows for each statement execute function logic.directory_changed();
create trigger directory_updated after update on directory
  referencing old table as old_rows new table as new_rows for each statement execute function logic.directory_changed();
create trigger directory_deleted after delete on directory
  referencing old table as old_rows for each statement execute function logic.directory_changed();

-- The counters that one report counts in. Durations are counted in classes 5 % wide: class n holds 1.05^n to 1.05^(n+1)
-- milliseconds.
create function logic.report_statistic_keys(r report) returns table (kind text, key text, amount bigint) language sql immutable as $$
  select v.kind, v.key, v.amount from (values
    ('report', r.status || '|' || r.problem_type || '|' || r.priority, 1::bigint, true),
    ('reportResponse', coalesce(to_char(floor(ln(greatest(1,
      extract(epoch from r.first_responded_at - r.created_at) * 1000)) / ln(1.05)), 'FM0000'), ''), 1::bigint,
      r.first_responded_at is not null),
    ('reportResponseMs', 'sum', (extract(epoch from r.first_responded_at - r.created_at) * 1000)::bigint,
      r.first_responded_at is not null)
  ) as v (kind, key, amount, counts) where v.counts and r.deleted_at is null
$$;

-- Also notifies staff that there is something new to see.
create function logic.report_changed() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select kind, key, sum(amount) from (
      select kind, key, amount from logic.report_statistic_keys(new) where tg_op <> 'DELETE'
      union all
      select kind, key, -amount from logic.report_statistic_keys(old) where tg_op <> 'INSERT'
    ) both_sides group by 1, 2 having sum(amount) <> 0;
  perform pg_notify('heartwood', json_build_object('what', 'reports')::text);
  return null;
end $$;
create trigger report_changed after insert or update or delete on report
  for each row execute function logic.report_changed();

-- The counters that one subscription counts in.
create function logic.premium_keys(s subscription) returns table (kind text, key text, n bigint) language sql immutable as $$
  select v.kind, v.key, v.n from (values
    ('premium', 'active', (s.status = 'active')::int::bigint),
    ('premium', 'trialing', (s.status = 'trialing')::int::bigint),
    ('premium', 'past_due', (s.status = 'past_due')::int::bigint),
    ('premium', 'paused', (s.status = 'paused')::int::bigint),
    ('premium', 'monthlyMinor ' || s.currency,
      case when s.status in ('active', 'past_due')
        then round(s.price_minor::numeric / case s.plan when 'monthly' then 1 when 'quarterly' then 3 else 12 end)::bigint
        else 0 end),
    ('churned', to_char(s.ended_at at time zone 'UTC', 'YYYY-MM'),
      (s.ever_paid and s.ended_at is not null)::int::bigint)
  ) as v (kind, key, n) where v.n <> 0
$$;

create function logic.subscription_changed() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select kind, key, sum(n) from (
      select kind, key, n from logic.premium_keys(new) where tg_op <> 'DELETE'
      union all
      select kind, key, -n from logic.premium_keys(old) where tg_op <> 'INSERT'
    ) both_sides group by 1, 2 having sum(n) <> 0;
  -- A member who deletes the account is a loss like any other, and stays counted.
  if tg_op = 'DELETE' and old.ever_paid then
    insert into statistic_delta values ('churned', to_char(coalesce(old.ended_at, now()) at time zone 'UTC', 'YYYY-MM'), 1);
  end if;
  return null;
end $$;
create trigger subscription_changed after insert or delete or update of status, plan, price_minor, currency, ended_at, ever_paid
  on subscription for each row execute function logic.subscription_changed();
