-- Profiles, the places they name, and the directory that people are listed and searched in.

create table profile (
  account_id uuid primary key references account on delete cascade,
  first_name text,
  last_name text,
  gender text check (gender in ('woman', 'man', 'non-binary')),
  gender_text text,
  birth_date date,
  bio text,
  seeking text[] not null default '{}' check (seeking <@ array['woman', 'man', 'non-binary']),
  city text,
  country text,
  -- The centre of a 0.03° place cell; nothing more precise is ever stored.
  latitude double precision,
  longitude double precision,
  show_last_active boolean not null default true,
  -- Seen only by people this member liked, as long as Premium lasts.
  incognito boolean not null default false,
  -- Everything else on a dating profile. One document, because it is written and read as a whole and the contract defines it; what
  -- people are searched by is repeated in the directory.
  details jsonb not null default '{}',
  -- The pictures as views need them. Written only by sql/pictures.sql, so that a list of people never joins `picture`.
  pictures jsonb not null default '[]',
  picture_count smallint not null default 0,
  complete boolean not null generated always as (
    first_name is not null and birth_date is not null and gender is not null
    and cardinality(seeking) > 0 and (city is not null or latitude is not null) and picture_count > 0
  ) stored,
  constraint profile_place check ((latitude is null) = (longitude is null))
);

-- One row each time the stored cell changes, for the daily limit on location changes.
create table place_move (
  account_id uuid not null references account on delete cascade,
  moved_at timestamptz not null
);
create index place_move_account on place_move (account_id, moved_at);

-- A name without case and accents, so that a place is found however its name is typed. Part of the baseline because indexes use it.
create function folded(name text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'))
$$;

create table place (
  id int generated always as identity primary key,
  name text not null,
  country text not null,
  latitude double precision not null,
  longitude double precision not null,
  population int not null default 0
);
create index place_name on place (lower(name), lower(country));
-- By the beginning of the name, while it is being typed.
create index place_prefix on place (folded(name) text_pattern_ops);
-- For the nearest known place, among hundreds of thousands after an import.
create index place_latitude on place (latitude);

-- Other names of places, such as those in their own language.
create table place_alias (
  alias text not null,
  name text not null,
  country text not null,
  primary key (alias, name, country)
);
create index place_alias_prefix on place_alias (folded(alias) text_pattern_ops);

-- One narrow row per account that staff can list: all except those being deleted. A read model, written only by sql/directory.sql,
-- with an index for each order and status. Texts are lower-cased for comparing.
create table directory (
  account_id uuid primary key references account on delete cascade,
  created_at timestamptz not null,
  name_sort text collate "und-x-icu" not null,
  -- Name and e-mail address on two lines, so that no match spans both.
  search_text text not null,
  is_active boolean not null,
  is_vip boolean not null,
  is_verified boolean not null,
  is_complete boolean not null,
  online boolean not null,
  gender text,
  birth_date date,
  -- May be shown to members at all. The columns below are what members search by.
  is_shown boolean not null,
  is_incognito boolean not null default false,
  shows_activity boolean not null,
  first_name text,
  city text,
  country text,
  latitude double precision,
  longitude double precision,
  interests text[] not null default '{}'
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
create index directory_shown_interests on directory using gin (interests) where is_shown;

-- The people a member was shown on a day, UTC, so that no one can page through every profile.
create table seen_people (
  viewer_id uuid primary key references account on delete cascade,
  seen_on date not null,
  ids uuid[] not null
) with (fillfactor = 50);
