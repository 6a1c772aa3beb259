-- Who is shown to whom: a narrow row for each member, what was learned of them, and the decks.

-- The codes by which discovery compares what is said: the place of a word in its list, 0 for nothing said.
create function code_of(word text, words text[]) returns smallint language sql immutable as $$
  select coalesce(array_position(words, word), 0)::smallint
$$;
-- The bits of the words of a required wish: 0 where it does not matter.
create function wish_mask(wish jsonb, words text[]) returns int language sql immutable as $$
  select case when wish ->> 'required' = 'true'
    then (select coalesce(bit_or(1 << (array_position(words, word) - 1)), 0) from jsonb_array_elements_text(wish -> 'values') word)
    else 0 end
$$;
create function wish_words(wish jsonb) returns text[] language sql immutable as $$
  select case when wish ->> 'required' = 'true'
    then (select coalesce(array_agg(word), '{}') from jsonb_array_elements_text(wish -> 'values') word)
    else '{}' end
$$;
-- The square of a tenth of a degree that a place lies in; -1 for no place.
create function search_cell(latitude double precision, longitude double precision) returns int language sql immutable as $$
  select case when latitude is null then -1
    else (floor((latitude + 90) * 10)::int * 3600 + floor((longitude + 180) * 10)::int) end
$$;

create table discovery_row (
  account_id uuid primary key references account on delete cascade,
  -- 1 woman, 2 man, 4 non-binary, 0 for who takes no part; whom one seeks as the sum of them.
  gender smallint not null,
  seeking smallint not null,
  birth_date date not null,
  latitude double precision,
  longitude double precision,
  cell int not null,
  visible boolean not null,
  incognito boolean not null,
  is_vip boolean not null,
  shows_activity boolean not null,
  joined_at timestamptz not null,
  last_active_on date not null default '-infinity',
  age_min smallint,
  age_max smallint,
  age_required boolean not null default false,
  max_km int,
  distance_required boolean not null default false,
  goal smallint not null,
  children smallint not null,
  smoking smallint not null,
  drinking smallint not null,
  exercise smallint not null,
  height_cm smallint,
  interests text[] not null,
  languages text[] not null,
  -- What others must have said: masks of codes, 0 where it does not matter. All but the interests take premium.
  needs_goal smallint not null default 0,
  needs_children smallint not null default 0,
  needs_smoking smallint not null default 0,
  needs_drinking smallint not null default 0,
  needs_exercise smallint not null default 0,
  needs_interests text[] not null default '{}',
  needs_languages text[] not null default '{}',
  needs_height_min smallint,
  needs_height_max smallint,
  -- What was learned: the viewer-independent part of the score, likes that wait, decisions received and made.
  bucket smallint not null default 31,
  pending int not null default 0,
  decisions_received real not null default 0,
  impressions real not null default 0,
  cards_decided real not null default 0,
  is_newcomer boolean not null default true
) with (fillfactor = 80);
-- With what most people are left out by, so that they are without their rows being read.
create index discovery_best on discovery_row (cell, gender, bucket desc, birth_date)
  include (account_id, seeking, last_active_on, age_min, age_max, age_required) where visible;
create index discovery_newcomers on discovery_row (cell, joined_at desc) where visible and is_newcomer;

-- What decisions have taught about a member towards people of one gender, in log-odds, with the information it rests on.
create table standing (
  account_id uuid not null references account on delete cascade,
  gender smallint not null,
  appeal real not null default 0,
  appeal_weight real not null default 0,
  selectivity real not null default 0,
  selectivity_weight real not null default 0,
  learned_at timestamptz not null,
  primary key (account_id, gender)
) with (fillfactor = 80);

-- How often cards of a segment (viewer's gender > gender: age) are liked.
create table segment_base (segment text primary key, shown double precision not null, liked double precision not null);
-- The share of members who state an interest, from a sample.
create table interest_share (interest text primary key, share real not null);

-- Decisions that have yet to teach.
create table lesson (
  id bigint generated always as identity primary key,
  viewer_id uuid not null,
  target_id uuid not null,
  liked boolean not null,
  decided_at timestamptz not null
);
create index lesson_pair on lesson (viewer_id, target_id);
-- Whose decision has taught and was changed or taken back since: nobody teaches twice about the same person, however often they
-- decide anew.
create table taught (
  viewer_id uuid not null references account on delete cascade,
  target_id uuid not null references account on delete cascade,
  primary key (viewer_id, target_id)
);
create index taught_target on taught (target_id);

-- The cards that wait for a member, in their order.
create table deck (
  viewer_id uuid primary key references account on delete cascade,
  targets uuid[] not null,
  -- For each card why, how well the answers fit, and of how many; in the order of the targets.
  cards jsonb not null,
  made_at timestamptz not null,
  -- How often whom the viewer wants or what they say has changed, and for which of these changes the deck was made: a change
  -- that comes while one is made is not lost.
  changes int not null default 0,
  made_for int not null default 0
);

create function discovery_refresh(ids uuid[]) returns void language plpgsql as $$
begin
  -- Who takes part no more is hidden; what was learned of them stays, so that nobody begins anew by changing a profile to and fro.
  update discovery_row r set visible = false, gender = 0, seeking = 0
    from profile f
    where r.account_id = any (ids) and f.account_id = r.account_id
      and (f.gender is null or f.birth_date is null or cardinality(f.seeking) = 0);
  insert into discovery_row as r (
    account_id, gender, seeking, birth_date, latitude, longitude, cell, visible, incognito, is_vip, shows_activity, joined_at,
    last_active_on, age_min, age_max, age_required, max_km, distance_required, goal, children, smoking, drinking, exercise,
    height_cm, interests, languages, needs_goal, needs_children, needs_smoking, needs_drinking, needs_exercise,
    needs_interests, needs_languages, needs_height_min, needs_height_max
  )
  select a.id,
    case f.gender when 'woman' then 1 when 'man' then 2 else 4 end,
    (case when 'woman' = any (f.seeking) then 1 else 0 end) + (case when 'man' = any (f.seeking) then 2 else 0 end)
      + (case when 'non-binary' = any (f.seeking) then 4 else 0 end),
    f.birth_date, place.latitude, place.longitude, search_cell(place.latitude, place.longitude),
    a.is_active and a.leaving_since is null and a.email_verified_at is not null and f.complete and a.staff_role is null,
    f.incognito and a.is_vip, a.is_vip, f.show_last_active, a.created_at,
    case when p.last_active_at > '-infinity' then (p.last_active_at at time zone 'UTC')::date else '-infinity' end,
    (w.wishes #>> '{age,min}')::smallint, (w.wishes #>> '{age,max}')::smallint,
    coalesce(w.wishes #>> '{age,required}' = 'true', false),
    (w.wishes #>> '{distance,maxKm}')::int, coalesce(w.wishes #>> '{distance,required}' = 'true', false),
    code_of(f.details ->> 'goal', words.goal), code_of(f.details ->> 'children', words.children),
    code_of(f.details ->> 'smoking', words.smoking), code_of(f.details ->> 'drinking', words.drinking),
    code_of(f.details ->> 'exercise', words.exercise), (f.details ->> 'heightCm')::smallint,
    coalesce((select array_agg(word) from jsonb_array_elements_text(f.details -> 'interests') word), '{}'),
    coalesce((select array_agg(word) from jsonb_array_elements_text(f.details -> 'languages') word), '{}'),
    wish_mask(paid.wishes -> 'goal', words.goal), wish_mask(paid.wishes -> 'children', words.children),
    wish_mask(paid.wishes -> 'smoking', words.smoking), wish_mask(paid.wishes -> 'drinking', words.drinking),
    wish_mask(paid.wishes -> 'exercise', words.exercise),
    wish_words(w.wishes -> 'interests'), wish_words(paid.wishes -> 'languages'),
    case when paid.wishes #>> '{heightCm,required}' = 'true' then (paid.wishes #>> '{heightCm,min}')::smallint end,
    case when paid.wishes #>> '{heightCm,required}' = 'true' then (paid.wishes #>> '{heightCm,max}')::smallint end
  from account a
    join profile f on f.account_id = a.id
    left join presence p on p.account_id = a.id
    left join preference pr on pr.account_id = a.id
    cross join lateral (select coalesce(pr.wishes, '{}') as wishes) w
    cross join lateral (select case when a.is_vip then w.wishes else '{}' end as wishes) paid
    cross join lateral (
      select coalesce((paid.wishes #>> '{elsewhere,latitude}')::float8, f.latitude) as latitude,
        coalesce((paid.wishes #>> '{elsewhere,longitude}')::float8, f.longitude) as longitude
    ) place
    cross join (values (
      array['long-term', 'short-term', 'friendship', 'open-to-see'],
      array['have', 'have-and-want-more', 'want', 'open', 'do-not-want'],
      array['never', 'sometimes', 'regularly', 'quitting'],
      array['never', 'rarely', 'socially', 'often'],
      array['never', 'sometimes', 'weekly', 'daily']
    )) as words (goal, children, smoking, drinking, exercise)
  where a.id = any (ids) and f.gender is not null and f.birth_date is not null and cardinality(f.seeking) > 0
  on conflict (account_id) do update set
    gender = excluded.gender, seeking = excluded.seeking, birth_date = excluded.birth_date, latitude = excluded.latitude,
    longitude = excluded.longitude, cell = excluded.cell, visible = excluded.visible, incognito = excluded.incognito,
    is_vip = excluded.is_vip, shows_activity = excluded.shows_activity,
    age_min = excluded.age_min, age_max = excluded.age_max, age_required = excluded.age_required,
    max_km = excluded.max_km, distance_required = excluded.distance_required, goal = excluded.goal,
    children = excluded.children, smoking = excluded.smoking, drinking = excluded.drinking, exercise = excluded.exercise,
    height_cm = excluded.height_cm, interests = excluded.interests, languages = excluded.languages,
    needs_goal = excluded.needs_goal, needs_children = excluded.needs_children, needs_smoking = excluded.needs_smoking,
    needs_drinking = excluded.needs_drinking, needs_exercise = excluded.needs_exercise,
    needs_interests = excluded.needs_interests, needs_languages = excluded.needs_languages,
    needs_height_min = excluded.needs_height_min, needs_height_max = excluded.needs_height_max;
  -- Whom somebody wants, and where they look, decides their cards.
  update deck d set changes = d.changes + 1 where d.viewer_id = any (ids);
end $$;

create function discovery_after_profile() returns trigger language plpgsql as $$
begin
  perform discovery_refresh(array_agg(account_id)) from new_rows having count(*) > 0;
  return null;
end $$;
create trigger discovery_profile_insert after insert on profile
  referencing new table as new_rows for each statement execute function discovery_after_profile();
create trigger discovery_profile_update after update on profile
  referencing new table as new_rows for each statement execute function discovery_after_profile();

create function discovery_after_account() returns trigger language plpgsql as $$
begin
  perform discovery_refresh(array_agg(n.id)) from new_rows n join old_rows o on o.id = n.id
    where (n.email_verified_at is null, n.staff_role, n.is_active, n.is_vip, n.leaving_since is null)
      is distinct from (o.email_verified_at is null, o.staff_role, o.is_active, o.is_vip, o.leaving_since is null)
    having count(*) > 0;
  return null;
end $$;
create trigger discovery_account after update on account
  referencing old table as old_rows new table as new_rows
  for each statement execute function discovery_after_account();

create function discovery_after_preference() returns trigger language plpgsql as $$
begin
  perform discovery_refresh(array[new.account_id]);
  return null;
end $$;
create trigger discovery_preference after insert or update on preference
  for each row execute function discovery_after_preference();

-- A decision teaches, once, and one that is taken back at once does not.
create function lesson_from_decision() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from lesson where viewer_id = old.viewer_id and target_id = old.target_id;
    if not found then
      insert into taught (viewer_id, target_id)
        select viewer.id, target.id from account viewer, account target
        where viewer.id = old.viewer_id and target.id = old.target_id
      on conflict do nothing;
    end if;
  end if;
  if tg_op <> 'DELETE' and new.kind <> 'unmatch' and (tg_op = 'INSERT' or old.kind <> new.kind)
    and not exists (select from taught where viewer_id = new.viewer_id and target_id = new.target_id)
  then
    insert into lesson (viewer_id, target_id, liked, decided_at)
      values (new.viewer_id, new.target_id, new.kind = 'like', new.decided_at);
  end if;
  return null;
end $$;
create trigger decision_teaches after insert or delete or update of kind on decision
  for each row execute function lesson_from_decision();

-- The directory hides who is incognito.
create or replace function directory_refresh(ids uuid[]) returns void language plpgsql as $$
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
    is_shown, shows_activity, first_name, city, country, latitude, longitude, interests, is_incognito
  )
  select a.id, a.created_at, n.name, n.name || E'\n' || a.email,
    a.is_active, a.is_vip, a.email_verified_at is not null, f.complete, coalesce(p.online, false), f.gender, f.birth_date,
    a.is_active and a.email_verified_at is not null and f.complete and a.staff_role is null, f.show_last_active,
    lower(f.first_name collate "und-x-icu"), lower(f.city collate "und-x-icu"), lower(f.country collate "und-x-icu"),
    f.latitude, f.longitude,
    coalesce((select array_agg(word) from jsonb_array_elements_text(f.details -> 'interests') word), '{}'),
    f.incognito and a.is_vip
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
    country = excluded.country, latitude = excluded.latitude, longitude = excluded.longitude,
    interests = excluded.interests, is_incognito = excluded.is_incognito
  where (d.name_sort, d.search_text, d.is_active, d.is_vip, d.is_verified, d.is_complete, d.gender, d.birth_date,
      d.is_shown, d.shows_activity, d.first_name, d.city, d.country, d.latitude, d.longitude, d.interests, d.is_incognito)
    is distinct from (excluded.name_sort, excluded.search_text, excluded.is_active, excluded.is_vip,
      excluded.is_verified, excluded.is_complete, excluded.gender, excluded.birth_date, excluded.is_shown,
      excluded.shows_activity, excluded.first_name, excluded.city, excluded.country, excluded.latitude,
      excluded.longitude, excluded.interests, excluded.is_incognito);
end $$;

-- What members see counts from the day after it was said: otherwise answers could be told from what their changes do.
alter table answer_sheet add column counted jsonb not null default '{}' check (jsonb_typeof(counted) = 'object');
alter table answer_sheet add column counted_on date not null default '-infinity';
update answer_sheet set counted = answers;

select discovery_refresh(ids) from (
  select array_agg(account_id) as ids from (select account_id, row_number() over (order by account_id) as n from profile) numbered
  group by (n - 1) / 5000
) batches;
