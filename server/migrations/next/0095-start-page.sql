-- Until when a member of staff has seen what changed in their matters.
create table start_visit (
  account_id uuid primary key references account on delete cascade,
  seen_at timestamptz not null
);
-- When an act on many people was done or canceled.
alter table bulk_act add column finished_at timestamptz;
