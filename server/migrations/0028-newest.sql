-- By when people joined, in each cell, with all that leaves most of them out: for decks of the newest, and for the random few.
create index discovery_joined on discovery_row (cell, joined_at desc)
  include (account_id, gender, seeking, birth_date, last_active_on, age_min, age_max, age_required) where visible;
