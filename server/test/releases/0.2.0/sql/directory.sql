-- The directory, the members who are online, and the flags of `presence`: what staff list and members search. Plans are kept per connection,
-- and one made while the tables were tiny would read them whole for each of many rows, so these functions plan with indexes only.

-- Lists those of these accounts that are online, and none of the others, and counts what changed. Callers changed `presence` before, in the
-- same transaction: the lock on its rows keeps two of them from listing a member who has just left.
create function logic.refresh_online(ids uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  with here as (
    select d.account_id, d.created_at, d.name_sort, d.search_text, d.is_vip
    from presence p join directory d on d.account_id = p.account_id
    where p.account_id = any (ids) and p.online for no key update of p
  ), gone as (
    delete from online_member where account_id = any (ids) and account_id not in (select account_id from here) returning is_vip
  ), come as (
    insert into online_member (account_id, created_at, name_sort, search_text, is_vip) select * from here
      on conflict (account_id) do nothing returning is_vip
  )
  insert into statistic_delta (kind, key, delta)
    select kind, 'online', sum(n) from (
      select 'total' as kind, 1 as n from come union all select 'total', -1 from gone
      union all select 'totalVip', 1 from come where is_vip union all select 'totalVip', -1 from gone where is_vip
    ) changed group by 1 having sum(n) <> 0;
end $$;

-- Updates the rows of these accounts.
create function logic.refresh_directory(ids uuid[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  insert into presence (account_id) select id from account where id = any (ids) on conflict do nothing;
  update presence p
    set is_active = a.is_active, is_vip = a.is_vip, is_verified = a.email_verified_at is not null
    from account a
    where p.account_id = any (ids) and a.id = p.account_id
      and (p.is_active, p.is_vip, p.is_verified) is distinct from (a.is_active, a.is_vip, a.email_verified_at is not null);
  delete from directory d using account a
    where d.account_id = any (ids) and a.id = d.account_id and a.leaving_since is not null;
  insert into directory as d (
    account_id, created_at, name_sort, search_text, is_active, is_vip, is_verified, is_complete, gender, birth_date,
    is_shown, shows_activity, first_name, city, country, latitude, longitude, interests, is_incognito
  )
  select a.id, a.created_at, n.name, n.name || E'\n' || a.email,
    a.is_active, a.is_vip, a.email_verified_at is not null, f.complete, f.gender, f.birth_date,
    a.is_active and not a.is_hidden and a.email_verified_at is not null and f.complete and a.staff_role is null, f.show_last_active,
    lower(f.first_name collate "und-x-icu"), lower(f.city collate "und-x-icu"), lower(f.country collate "und-x-icu"),
    f.latitude, f.longitude,
    coalesce((select array_agg(word) from jsonb_array_elements_text(f.details -> 'interests') word), '{}'),
    f.incognito and a.is_vip
  from account a
    join profile f on f.account_id = a.id
    cross join lateral (select lower(trim(concat_ws(' ', f.first_name, f.last_name)) collate "und-x-icu") as name) n
  where a.id = any (ids) and a.leaving_since is null
  on conflict (account_id) do update set
    name_sort = excluded.name_sort, search_text = excluded.search_text, is_active = excluded.is_active,
    is_vip = excluded.is_vip, is_verified = excluded.is_verified, is_complete = excluded.is_complete,
    gender = excluded.gender, birth_date = excluded.birth_date, is_shown = excluded.is_shown,
    shows_activity = excluded.shows_activity, first_name = excluded.first_name, city = excluded.city,
    country = excluded.country, latitude = excluded.latitude, longitude = excluded.longitude,
    interests = excluded.interests, is_incognito = excluded.is_incognito
  where (d.name_sort, d.search_text, d.is_active, d.is_vip, d.is_verified, d.is_complete, d.gender, d.birth_date,
      d.is_shown, d.shows_activity, d.first_name, d.city, d.country, d.latitude, d.longitude, d.interests, d.is_incognito)
    is distinct from (excluded.name_sort, excluded.search_text, excluded.is_active, excluded.is_vip,
      excluded.is_verified, excluded.is_complete, excluded.gender, excluded.birth_date, excluded.is_shown,
      excluded.shows_activity, excluded.first_name, excluded.city, excluded.country, excluded.latitude,
      excluded.longitude, excluded.interests, excluded.is_incognito);
end $$;
