-- Cases retold without names, of which the right decision is known. They are mixed into the second looks.
create table golden_case (
  id uuid primary key default gen_random_uuid(),
  problem_type text not null,
  story text not null,
  outcome text not null,
  -- Empty if no rule was broken.
  clause text not null,
  added_at timestamptz not null,
  added_by uuid not null,
  added_by_name text not null,
  retired_at timestamptz
);

-- Decisions and golden cases that someone judges without knowing the decision or who made it.
create table second_look (
  id uuid primary key default gen_random_uuid(),
  decision_id uuid unique references case_decision on delete cascade,
  golden_id uuid references golden_case on delete cascade,
  drawn_at timestamptz not null,
  -- Who has it, or judged it. Kept without a reference, as the one who decided is.
  reviewer_id uuid,
  taken_at timestamptz,
  judged_at timestamptz,
  outcome text,
  clause text,
  is_agreed boolean,
  constraint second_look_of_one check ((decision_id is null) <> (golden_id is null)),
  constraint second_look_judged check ((judged_at is null) = (outcome is null) and (judged_at is null) = (is_agreed is null))
);
create unique index second_look_golden on second_look (golden_id, reviewer_id) where golden_id is not null;
create index second_look_waiting on second_look (drawn_at, id) where judged_at is null;
create index second_look_judged_at on second_look (judged_at) where judged_at is not null;
