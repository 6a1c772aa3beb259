-- For each card of a deck, in the order of its targets: the likes expected from it, in thousandths; 0 once it is decided.
alter table deck add column expected smallint[] not null default '{}';

-- How many likes, in thousandths, are expected from cards of a member that are dealt and undecided: the sum over all decks. Members of
-- earlier releases get their row in the first night.
create table exposure (
  member_id uuid primary key references account on delete cascade,
  expected int not null default 0
) with (fillfactor = 80);

-- Below what exposure the tenth of a segment (gender as a bit, age band) is that has the least, from a sample.
create table least_exposed (gender smallint, age_band smallint, expected real not null, primary key (gender, age_band));
