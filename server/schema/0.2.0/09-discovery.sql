-- Whom members are shown, and in which order.

-- What a member is looking for, as the contract defines it; read and written as a whole, only by its owner.
create table preference (
  account_id uuid primary key references account on delete cascade,
  wishes jsonb not null,
  updated_at timestamptz not null
);

-- One row per member who has stated gender, birth date and whom they seek. The stated part is a read model, written only by
-- sql/discovery.sql; the learned part is written by jobs.
create table discovery_row (
  account_id uuid primary key references account on delete cascade,
  -- Genders as bits (`logic.gender_bit`); 0 for members who don't take part. `seeking` is the sum of bits.
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
  goal text check (goal in ('long-term', 'short-term', 'friendship', 'open-to-see')),
  children text check (children in ('have', 'have-and-want-more', 'want', 'open', 'do-not-want')),
  smoking text check (smoking in ('never', 'sometimes', 'regularly', 'quitting')),
  drinking text check (drinking in ('never', 'rarely', 'socially', 'often')),
  exercise text check (exercise in ('never', 'sometimes', 'weekly', 'daily')),
  height_cm smallint,
  interests text[] not null,
  languages text[] not null,
  -- Required filters: others must have stated one of these words. Null where the filter isn't required. All except interests need
  -- Premium.
  needs_goal text[],
  needs_children text[],
  needs_smoking text[],
  needs_drinking text[],
  needs_exercise text[],
  needs_interests text[],
  needs_languages text[],
  needs_height_min smallint,
  needs_height_max smallint,
  -- Learned: the part of the score that doesn't depend on the viewer, pending likes, decisions received and made.
  bucket smallint not null default 31,
  pending int not null default 0,
  decisions_received real not null default 0,
  impressions real not null default 0,
  cards_decided real not null default 0,
  is_newcomer boolean not null default true,
  -- Changes with everything that cards show or compare, except what is learned; see `logic.refresh_discovery`.
  version int not null default 0,
  photo_verified boolean not null default false,
  needs_photo_verified boolean not null default false
) with (fillfactor = 80);
-- Includes what rules most people out, so that their rows are never read.
create index discovery_best on discovery_row (cell, gender, bucket desc, birth_date)
  include (account_id, seeking, last_active_on, age_min, age_max, age_required) where visible;
create index discovery_newcomers on discovery_row (cell, joined_at desc) where visible and is_newcomer;
-- For decks sorted by newest, and for the few random cards.
create index discovery_joined on discovery_row (cell, joined_at desc)
  include (account_id, gender, seeking, birth_date, last_active_on, age_min, age_max, age_required) where visible;

-- What decisions have taught about a member towards people of one gender (a bit as above), in log-odds, with the weight of the
-- evidence.
create table standing (
  account_id uuid not null references account on delete cascade,
  gender smallint not null,
  appeal real not null default 0,
  appeal_weight real not null default 0,
  selectivity real not null default 0,
  selectivity_weight real not null default 0,
  learned_at timestamptz not null,
  -- What becomes of matches: T, what was learned of a member towards one gender, with the weight of the evidence and when it last changed.
  warmth real not null default 0,
  warmth_weight real not null default 0,
  warmth_at timestamptz,
  primary key (account_id, gender)
) with (fillfactor = 80);

-- How often cards of a segment (viewer's gender > gender: age) are liked.
create table segment_base (
  segment text primary key,
  shown double precision not null,
  liked double precision not null
);

-- The share of members who list an interest, from a sample.
create table interest_share (
  interest text primary key,
  share real not null
);

-- The cards waiting for a member, in order.
create table deck (
  viewer_id uuid primary key references account on delete cascade,
  targets uuid[] not null,
  -- For each card, in the order of the targets: the reasons, the compatibility, and from how many answers.
  cards jsonb not null,
  made_at timestamptz not null,
  -- How often the viewer's profile or filters have changed, and the value this deck was made for. A change during a rebuild is
  -- noticed because the two differ.
  changes int not null default 0,
  made_for int not null default 0
);
