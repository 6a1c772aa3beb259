-- The newest of each cell, for decks in the order people joined.
create index discovery_joined on discovery_row (cell, joined_at desc) where visible;
