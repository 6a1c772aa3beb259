-- That staff opened an account, never who and only the day; and from which day on its owner sees it, as what.
create table staff_read (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('support', 'safety', 'routine')),
  day date not null,
  shown_on date,
  -- Null for a read that another one of that day says already.
  shown_as text check (shown_as in ('support', 'safety', 'routine')),
  primary key (account_id, kind, day)
);
create index staff_read_waiting on staff_read (account_id) where shown_on is null;
create index staff_read_shown on staff_read (shown_on) where shown_on is not null;

-- Whether a provider said that a member is an adult, and when; nothing else that it knows.
create table age_check (
  account_id uuid primary key references account on delete cascade,
  state text not null constraint age_check_state_check check (state in ('declared', 'assured', 'failed')),
  at timestamptz not null,
  -- The newest check without an answer, by a random name that the provider knows; it expires then.
  open_check uuid unique,
  open_until timestamptz,
  -- When the team asked for it; null once it was answered.
  asked_at timestamptz,
  constraint age_check_open check ((open_check is null) = (open_until is null))
);
