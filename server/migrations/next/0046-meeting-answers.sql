-- What a member says about having met a match. It goes with the match, and with either account.
create table meeting_answer (
  conversation_id uuid not null references conversation on delete cascade,
  account_id uuid not null references account on delete cascade,
  answer text not null check (answer in ('yes', 'not-yet', 'skip')),
  -- Whether they would like to meet the other one again.
  meet_again boolean check (meet_again is null or answer = 'yes'),
  -- Those who haven't met yet are asked again two weeks after their first answer, and never after their second.
  first_answered_at timestamptz not null,
  answered_at timestamptz not null,
  is_learned boolean not null default false,
  primary key (conversation_id, account_id)
);
create index meeting_answer_of on meeting_answer (account_id);
-- Answers to learn from.
create index meeting_answer_unlearned on meeting_answer (answered_at) where meet_again and not is_learned;
