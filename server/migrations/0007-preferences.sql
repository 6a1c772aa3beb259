-- Whom somebody wants to see, as the contract has it; read and written as a whole by its owner alone.
create table preference (
  account_id uuid primary key references account on delete cascade,
  wishes jsonb not null,
  updated_at timestamptz not null
);
