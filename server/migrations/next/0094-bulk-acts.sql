-- What staff do with many people at once, in the background.
create table bulk_act (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  payload jsonb not null,
  reason text not null,
  made_by uuid not null references account on delete cascade,
  state text not null default 'running' check (state in ('running', 'done', 'canceled')),
  total int not null,
  started_at timestamptz not null
);
create index bulk_act_made_by on bulk_act (made_by);
create index bulk_act_started_at on bulk_act (started_at);

create table bulk_act_item (
  act_id uuid not null references bulk_act on delete cascade,
  position int not null,
  account_id uuid not null references account on delete cascade,
  -- Null until its turn.
  outcome text check (outcome in ('done', 'failed')),
  problem text,
  primary key (act_id, position),
  constraint bulk_act_item_problem check ((outcome = 'failed') = (problem is not null) or outcome is null)
);
create index bulk_act_item_account on bulk_act_item (account_id);
create index bulk_act_item_next on bulk_act_item (act_id, position) where outcome is null;
