-- What is needed to find one of a hundred thousand towns by the start of any of its names. Only servers of the last release still use
-- `place_alias`, `place_latitude` and `place_by_key`: the release after this one drops them.
alter table place
  -- The town's number in GeoNames; null in our own list of large cities.
  add column geoname_id int,
  -- The state, province or other first-order division, to tell towns of one name apart.
  add column region text,
  -- Whether it came with the product: an import replaces it.
  add column is_shipped boolean not null default false;

-- The names of each place in every spelling, each key once, with what orders them. Triggers write a place's own name.
create table place_spelling (
  place_id int not null references place on delete cascade,
  name text not null,
  key text not null generated always as (place_key(name)) stored,
  population int not null,
  -- The square of one degree that contains it, see `logic.place_cell`.
  cell int not null,
  -- Searches read one size of town after another, and end as soon as they have found enough.
  size smallint not null generated always as (
    case
      when population >= 500000 then 1
      when population >= 100000 then 2
      when population >= 30000 then 3
      when population >= 10000 then 4
      when population >= 3000 then 5
      else 6
    end) stored,
  primary key (place_id, key)
);
create index place_spelling_by_size on place_spelling (size, key text_pattern_ops);
create index place_spelling_by_cell on place_spelling (cell, key text_pattern_ops);
