-- A sample of decks with everyone who was considered, kept for 30 days: what another formula would have brought is estimated from it. A
-- row is a candidate of a viewer's deck, without text or place. No member has two decks in it.
create table deck_log (
  viewer_id uuid not null references account on delete cascade,
  person_id uuid not null references account on delete cascade,
  dealt_at timestamptz not null,
  -- Likers, decoys and all others compete among themselves for places.
  likes_viewer boolean not null,
  is_decoy boolean not null,
  -- The terms of the rank: p(i→j), p(j→i), inbox and premium, and what preferences add.
  chance_there real not null,
  chance_back real not null,
  rest real not null,
  bonus real not null,
  -- From 1; null for those left out.
  place smallint,
  -- How likely it was that the card was dealt, in thousandths; null for those left out and in exploration places.
  dealt_chance smallint,
  primary key (viewer_id, person_id)
);
create index deck_log_person on deck_log (person_id);
create index deck_log_dealt on deck_log (dealt_at);

-- Matches per 100 cards that each formula is estimated to bring, with an interval of 90 %: null if the log has too little.
create table matching_estimate (
  formula text primary key,
  decks int not null,
  matches real,
  low real,
  high real,
  estimated_at timestamptz not null
);
