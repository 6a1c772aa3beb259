-- Dates that two people agree on.

-- A date that two matched members plan. Both ends of the pair are stored, because either account may be deleted first.
create table date_plan (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null,
  proposed_by uuid,
  proposed_to uuid,
  place text not null,
  at timestamptz not null,
  -- The time zone of the place.
  zone text not null,
  note text,
  state text not null check (state in ('proposed', 'accepted', 'canceled', 'replaced')),
  created_at timestamptz not null,
  decided_at timestamptz,
  -- The entry in calendars that a date moves or removes, the same for all that are suggested in place of each other; and when a date was agreed
  -- on, because only those are in calendars.
  calendar_id uuid,
  agreed_at timestamptz,
  constraint date_plan_proposed_by_fkey foreign key (proposed_by) references account on delete set null,
  constraint date_plan_proposed_to_fkey foreign key (proposed_to) references account on delete set null
);
create unique index date_plan_open on date_plan (conversation_id) where state in ('proposed', 'accepted');
create index date_plan_of on date_plan (conversation_id, created_at desc);
create index date_plan_proposed_by on date_plan (proposed_by);
create index date_plan_proposed_to on date_plan (proposed_to);
create index date_plan_at on date_plan (at);
create index date_plan_ended on date_plan (decided_at) where state in ('canceled', 'replaced');

-- One member's link to a date for a friend. It ends with this row.
create table date_share (
  id uuid primary key default gen_random_uuid(),
  plan_id uuid not null references date_plan on delete cascade,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  -- The other person's first name when the link was made; null in links made before this column.
  name text,
  unique (plan_id, account_id)
);
create index date_share_account on date_share (account_id);

-- Who wants to be asked how their date went. The row is deleted when they say that all is good.
create table date_check_in (
  plan_id uuid not null references date_plan on delete cascade,
  account_id uuid not null references account on delete cascade,
  due_at timestamptz not null,
  asked_at timestamptz,
  -- The other person's first name when the member asked for it, because they may be hidden by the time it is shown.
  name text not null,
  -- The report with which they asked for help.
  report_id uuid references report on delete set null,
  primary key (plan_id, account_id)
);
create index date_check_in_account on date_check_in (account_id);
create index date_check_in_due on date_check_in (due_at, plan_id, account_id) where asked_at is null and report_id is null;
create index date_check_in_report on date_check_in (report_id) where report_id is not null;
