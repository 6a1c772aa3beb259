-- Lists of cases that staff save under a name. Without an owner the team shares them, and they outlive the account of who shared them.
create table case_view (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid references account on delete cascade,
  author_id uuid references account on delete set null,
  name text not null check (char_length(name) between 1 and 40),
  filters jsonb not null,
  created_at timestamptz not null
);
-- Also for deleting an account.
create unique index case_view_name on case_view (owner_id, lower(name)) nulls not distinct;
create index case_view_author on case_view (author_id) where author_id is not null;
