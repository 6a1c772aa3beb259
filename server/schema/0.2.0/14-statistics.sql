-- Counters.

-- Keys are months, days and words. They compare byte by byte, so a range of them is a range of time.
create table statistic (
  kind text collate "C" not null,
  key text collate "C" not null,
  value bigint not null,
  primary key (kind, key)
);

-- Changes since the last fold. Rows are only ever appended, so that writers never wait for each other; a figure is the sum of both
-- tables.
create table statistic_delta (
  kind text collate "C" not null,
  key text collate "C" not null,
  delta bigint not null
);
