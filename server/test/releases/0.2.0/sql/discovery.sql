-- The stated facts in `discovery_row`, which discovery compares.

-- The bit a gender is stored as in `discovery_row` and `standing`. Never change these: `genderBits` in the discovery feature repeats
-- them, and a test compares the two.
create function logic.gender_bit(gender text) returns smallint language sql immutable as $$
  select case gender when 'woman' then 1 when 'man' then 2 when 'non-binary' then 4 end::smallint
$$;

-- The words a required filter accepts; null if it isn't required or accepts nothing.
create function logic.required_words(filter jsonb) returns text[] language sql immutable as $$
  select case when filter ->> 'required' = 'true'
    then (select array_agg(word) from jsonb_array_elements_text(filter -> 'values') word) end
$$;

-- The square of a tenth of a degree around a place; -1 without a place.
create function logic.search_cell(latitude double precision, longitude double precision) returns int language sql immutable as $$
  select case when latitude is null then -1
    else (floor((latitude + 90) * 10)::int * 3600 + floor((longitude + 180) * 10)::int) end
$$;

-- Updates the rows of these accounts with a new version each, under which servers keep texts of cards, and marks their decks for a
-- rebuild.
create function logic.refresh_discovery(ids uuid[]) returns void language plpgsql as $$
begin
  -- Members who no longer take part are hidden. Their learned values stay, so that no one starts over by editing a
  -- profile back and forth.
  update discovery_row r set visible = false, gender = 0, seeking = 0, version = r.version + 1
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
    logic.gender_bit(f.gender), (select bit_or(logic.gender_bit(word)) from unnest(f.seeking) word),
    f.birth_date, place.latitude, place.longitude, logic.search_cell(place.latitude, place.longitude),
    a.is_active and not a.is_hidden and a.leaving_since is null and a.email_verified_at is not null and f.complete and a.staff_role is null,
    f.incognito and a.is_vip, a.is_vip, f.show_last_active, a.created_at,
    case when p.last_active_at > '-infinity' then (p.last_active_at at time zone 'UTC')::date else '-infinity' end,
    (w.wishes #>> '{age,min}')::smallint, (w.wishes #>> '{age,max}')::smallint,
    coalesce(w.wishes #>> '{age,required}' = 'true', false),
    (w.wishes #>> '{distance,maxKm}')::int, coalesce(w.wishes #>> '{distance,required}' = 'true', false),
    f.details ->> 'goal', f.details ->> 'children', f.details ->> 'smoking', f.details ->> 'drinking', f.details ->> 'exercise',
    (f.details ->> 'heightCm')::smallint,
    coalesce((select array_agg(word) from jsonb_array_elements_text(f.details -> 'interests') word), '{}'),
    coalesce((select array_agg(word) from jsonb_array_elements_text(f.details -> 'languages') word), '{}'),
    logic.required_words(paid.wishes -> 'goal'), logic.required_words(paid.wishes -> 'children'),
    logic.required_words(paid.wishes -> 'smoking'), logic.required_words(paid.wishes -> 'drinking'),
    logic.required_words(paid.wishes -> 'exercise'),
    logic.required_words(w.wishes -> 'interests'), logic.required_words(paid.wishes -> 'languages'),
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
    needs_height_min = excluded.needs_height_min, needs_height_max = excluded.needs_height_max, version = r.version + 1;
  -- The genders and place that members seek decide their cards.
  update deck d set changes = d.changes + 1 where d.viewer_id = any (ids);
end $$;

-- Answers are on cards, as reasons, but not in the row.
create function logic.answers_changed(id uuid) returns void language sql as $$
  update discovery_row set version = version + 1 where account_id = id
$$;
