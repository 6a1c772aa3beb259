-- A rejected picture is refused to the account that had it, because the reason may be about the person. Only content that
-- the automatic check forbids is refused to everyone.
alter table rejected_look add column is_for_all boolean not null default false;
create table refused_look (
  account_id uuid not null references account on delete cascade,
  dhash bigint not null references rejected_look on delete cascade,
  primary key (account_id, dhash)
);
create index refused_look_dhash on refused_look (dhash);
