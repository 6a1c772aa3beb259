-- One member's answers to the compatibility questions: an object of `question: [answer, [accepted, …], importance]`, as in the
-- contract. One row per member, so that comparing two of them reads two rows.
create table answer_sheet (
  account_id uuid primary key references account on delete cascade,
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  updated_at timestamptz not null,
  -- The answers as of the start of the day, which scores are computed from. Otherwise the effect of one change on a score would
  -- reveal the other person's answer.
  counted jsonb not null default '{}' check (jsonb_typeof(counted) = 'object'),
  counted_on date not null default '-infinity'
);
