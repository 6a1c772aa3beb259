-- Everything one member says to the compatibility questions: an object of `question: [answer, [accepted, …], importance]`, as
-- the contract has them. One row a member, so that comparing two of them reads two rows.
create table answer_sheet (
  account_id uuid primary key references account on delete cascade,
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  updated_at timestamptz not null
);
