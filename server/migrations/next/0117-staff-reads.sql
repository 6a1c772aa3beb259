-- That staff opened an account, until its owner may see it: never who, and only the day.
create table staff_read (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('support', 'safety', 'routine')),
  day date not null,
  primary key (account_id, kind, day)
);
create index staff_read_day on staff_read (day);

-- What its owner sees of it, by the day on which it was added.
create table staff_read_notice (
  account_id uuid not null references account on delete cascade,
  day date not null,
  kind text not null check (kind in ('support', 'safety', 'routine')),
  primary key (account_id, day, kind)
);
create index staff_read_notice_day on staff_read_notice (day);
