-- What staff list, search and count: read models kept by triggers, so that no figure is ever counted anew.

-- When each account was last active; beside `directory`, since it changes every minute and the directory hardly ever.
-- The flags repeat the directory's, so that one index walk serves a list sorted by activity.
create table presence (
  account_id uuid primary key references account on delete cascade,
  last_active_at timestamptz not null default '-infinity',
  online boolean not null default false,
  is_active boolean not null default true,
  is_vip boolean not null default false,
  is_verified boolean not null default false
) with (fillfactor = 80);
-- The flags stand beside the key, so that a walk along an index filters without the table.
create index presence_active on presence (last_active_at desc, account_id desc)
  include (is_active, is_vip, is_verified, online);
create index presence_active_vip on presence (last_active_at desc, account_id desc)
  include (is_active, is_verified, online) where is_vip;
create index presence_active_inactive on presence (last_active_at desc, account_id desc)
  include (is_vip) where not is_active;
create index presence_active_online on presence (last_active_at desc, account_id desc)
  include (is_vip) where online;

-- One narrow row per listed account: all but the leaving ones. Texts are lower-cased, for comparing.
create table directory (
  account_id uuid primary key references account on delete cascade,
  created_at timestamptz not null,
  name_sort text collate "und-x-icu" not null,
  -- Name and e-mail address on two lines, so that no hit straddles them.
  search_text text not null,
  is_active boolean not null,
  is_vip boolean not null,
  is_verified boolean not null,
  is_complete boolean not null,
  online boolean not null,
  gender text,
  birth_date date,
  -- What members find each other by; only those who may be shown to any member at all.
  is_shown boolean not null,
  shows_activity boolean not null,
  first_name text,
  city text,
  country text,
  latitude double precision,
  longitude double precision
);
create index directory_created on directory (created_at desc, account_id desc)
  include (search_text, is_active, is_vip, is_verified, online);
create index directory_created_vip on directory (created_at desc, account_id desc)
  include (search_text, is_active, is_verified, online) where is_vip;
create index directory_created_inactive on directory (created_at desc, account_id desc)
  include (search_text, is_vip) where not is_active;
create index directory_created_online on directory (created_at desc, account_id desc)
  include (search_text, is_vip) where online;
create index directory_name on directory (name_sort, account_id)
  include (search_text, is_active, is_vip, is_verified, online);
create index directory_name_vip on directory (name_sort, account_id)
  include (search_text, is_active, is_verified, online) where is_vip;
create index directory_name_inactive on directory (name_sort, account_id)
  include (search_text, is_vip) where not is_active;
create index directory_name_online on directory (name_sort, account_id)
  include (search_text, is_vip) where online;
create index directory_search on directory using gin (search_text gin_trgm_ops);
create index directory_search_name on directory using gin (name_sort gin_trgm_ops);
create index directory_shown on directory (created_at desc, account_id desc) where is_shown;
create index directory_shown_gender on directory (gender, birth_date) where is_shown;
create index directory_shown_first_name on directory using gin (first_name gin_trgm_ops) where is_shown;
create index directory_shown_city on directory (city) where is_shown;
create index directory_shown_country on directory (country) where is_shown;
create index directory_shown_place on directory (latitude, longitude) where is_shown;

-- Keys are months, days and words; compared byte by byte, a range of them is a range of time.
create table statistic (
  kind text collate "C" not null,
  key text collate "C" not null,
  value bigint not null,
  primary key (kind, key)
);
-- Changes since the last fold: appended, never updated, so that two writers do not wait for each other.
create table statistic_delta (
  kind text collate "C" not null,
  key text collate "C" not null,
  delta bigint not null
);

create function directory_refresh(ids uuid[]) returns void language plpgsql as $$
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
    account_id, created_at, name_sort, search_text, is_active, is_vip, is_verified, is_complete, online, gender, birth_date,
    is_shown, shows_activity, first_name, city, country, latitude, longitude
  )
  select a.id, a.created_at, n.name, n.name || E'\n' || a.email,
    a.is_active, a.is_vip, a.email_verified_at is not null, f.complete, coalesce(p.online, false), f.gender, f.birth_date,
    a.is_active and a.email_verified_at is not null and f.complete and a.staff_role is null, f.show_last_active,
    lower(f.first_name collate "und-x-icu"), lower(f.city collate "und-x-icu"), lower(f.country collate "und-x-icu"),
    f.latitude, f.longitude
  from account a
    join profile f on f.account_id = a.id
    left join presence p on p.account_id = a.id
    cross join lateral (select lower(trim(concat_ws(' ', f.first_name, f.last_name)) collate "und-x-icu") as name) n
  where a.id = any (ids) and a.leaving_since is null
  on conflict (account_id) do update set
    name_sort = excluded.name_sort, search_text = excluded.search_text, is_active = excluded.is_active,
    is_vip = excluded.is_vip, is_verified = excluded.is_verified, is_complete = excluded.is_complete,
    gender = excluded.gender, birth_date = excluded.birth_date, is_shown = excluded.is_shown,
    shows_activity = excluded.shows_activity, first_name = excluded.first_name, city = excluded.city,
    country = excluded.country, latitude = excluded.latitude, longitude = excluded.longitude
  where (d.name_sort, d.search_text, d.is_active, d.is_vip, d.is_verified, d.is_complete, d.gender, d.birth_date,
      d.is_shown, d.shows_activity, d.first_name, d.city, d.country, d.latitude, d.longitude)
    is distinct from (excluded.name_sort, excluded.search_text, excluded.is_active, excluded.is_vip,
      excluded.is_verified, excluded.is_complete, excluded.gender, excluded.birth_date, excluded.is_shown,
      excluded.shows_activity, excluded.first_name, excluded.city, excluded.country, excluded.latitude,
      excluded.longitude);
end $$;

create function directory_after_account() returns trigger language plpgsql as $$
begin
  perform directory_refresh(array_agg(n.id)) from new_rows n join old_rows o on o.id = n.id
    where (n.email, n.email_verified_at, n.staff_role, n.is_active, n.is_vip, n.leaving_since)
      is distinct from (o.email, o.email_verified_at, o.staff_role, o.is_active, o.is_vip, o.leaving_since)
    having count(*) > 0;
  return null;
end $$;
create trigger directory_account after update on account
  referencing old table as old_rows new table as new_rows
  for each statement execute function directory_after_account();

create function directory_after_profile() returns trigger language plpgsql as $$
begin
  perform directory_refresh(array_agg(account_id)) from new_rows having count(*) > 0;
  return null;
end $$;
create trigger directory_profile_insert after insert on profile
  referencing new table as new_rows
  for each statement execute function directory_after_profile();
create trigger directory_profile_update after update on profile
  referencing new table as new_rows
  for each statement execute function directory_after_profile();

create function statistic_keys(d directory) returns table (kind text, key text) language sql immutable as $$
  select v.kind, v.key from (values
    ('total', 'users', true),
    ('total', 'vip', d.is_vip),
    ('total', 'active', d.is_active),
    ('total', 'online', d.online),
    ('total', 'verified', d.is_verified),
    ('total', 'complete', d.is_complete),
    ('totalVip', 'active', d.is_vip and d.is_active),
    ('totalVip', 'online', d.is_vip and d.online),
    ('totalVip', 'verified', d.is_vip and d.is_verified),
    ('joined', to_char(d.created_at at time zone 'UTC', 'YYYY-MM'), true),
    ('joinedVip', to_char(d.created_at at time zone 'UTC', 'YYYY-MM'), d.is_vip),
    ('gender', coalesce(d.gender, ''), true),
    ('bornMonth', to_char(d.birth_date, 'YYYY-MM'), d.birth_date is not null),
    ('bornDay', to_char(d.birth_date, 'YYYY-MM-DD'), d.birth_date is not null)
  ) as v (kind, key, counts) where v.counts
$$;

create function statistic_after_insert() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select k.kind, k.key, count(*) from new_rows d cross join lateral statistic_keys(d) k group by 1, 2;
  return null;
end $$;
create function statistic_after_delete() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select k.kind, k.key, -count(*) from old_rows d cross join lateral statistic_keys(d) k group by 1, 2;
  return null;
end $$;
create function statistic_after_update() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select kind, key, sum(n) from (
      select k.kind, k.key, 1 as n from new_rows d cross join lateral statistic_keys(d) k
      union all
      select k.kind, k.key, -1 from old_rows d cross join lateral statistic_keys(d) k
    ) both_sides group by 1, 2 having sum(n) <> 0;
  return null;
end $$;
create trigger statistic_insert after insert on directory
  referencing new table as new_rows for each statement execute function statistic_after_insert();
create trigger statistic_delete after delete on directory
  referencing old table as old_rows for each statement execute function statistic_after_delete();
create trigger statistic_update after update on directory
  referencing old table as old_rows new table as new_rows for each statement execute function statistic_after_update();

-- Folds the appended changes into the counters; safe to run from several processes at once.
create function statistic_fold() returns void language sql as $$
  with taken as (delete from statistic_delta returning kind, key, delta)
  insert into statistic as s select kind, key, sum(delta) from taken group by 1, 2 order by 1, 2
  on conflict (kind, key) do update set value = s.value + excluded.value
$$;
