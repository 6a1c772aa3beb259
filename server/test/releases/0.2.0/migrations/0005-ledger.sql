-- What a restored backup must not undo: who deleted their account or was deactivated, and who came back. Each row is also kept
-- beside the pictures, outside the database.
create table ledger_entry (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is gone.
  account_id uuid,
  act text not null check (act in ('left', 'returned', 'deactivated', 'activated')),
  at timestamptz not null,
  -- Its number outside the database, once it is written there; without gaps.
  seq int unique
);
create index ledger_entry_account on ledger_entry (account_id) where account_id is not null;
