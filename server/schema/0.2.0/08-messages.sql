-- Conversations and their messages.

-- One row per match, with the match's id. It outlives the match, so that what was written can still be reported.
create table conversation (
  id uuid primary key,
  low_id uuid not null references account on delete cascade,
  high_id uuid not null references account on delete cascade,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- Sequence number and time of the newest message; before the first message, 0 and the time of the match.
  last_seq int not null default 0,
  last_at timestamptz not null,
  low_read int not null default 0,
  high_read int not null default 0,
  -- Who wrote first, and whether the other person has answered.
  opened_by uuid,
  is_answered boolean not null default false,
  -- How many messages each of the two has sent. The first ones are checked for signs of fraud, and counting them for every
  -- new message took longer with every message in the conversation.
  low_sent int not null default 0,
  high_sent int not null default 0,
  -- Each match is learned from once, at the age of a week; those from before this change never are.
  is_outcome_learned boolean not null default false,
  -- How many of each side's messages precede the delivered ones in that side's own numbering, and up to which of them it has read while
  -- none is delivered.
  low_held int not null default 0,
  high_held int not null default 0,
  low_held_read int not null default 0,
  high_held_read int not null default 0,
  -- Until when each side has set a conversation aside. The other side never learns of it.
  low_snoozed_until timestamptz,
  high_snoozed_until timestamptz,
  -- The `seq` of each side's messages with such a place, and when something last happened for that side while it differs.
  low_moved int[],
  high_moved int[],
  low_last_at timestamptz,
  high_last_at timestamptz,
  check (low_id < high_id)
) with (fillfactor = 80);
create index conversation_low on conversation (low_id, last_at desc, id) where ended_at is null;
create index conversation_high on conversation (high_id, last_at desc, id) where ended_at is null;
create index conversation_of_low on conversation (low_id);
create index conversation_of_high on conversation (high_id);
create index conversation_ended on conversation (ended_at) where ended_at is not null;
create index conversation_unlearned on conversation (began_at, id) where not is_outcome_learned;
create index conversation_low_own on conversation (low_id) where low_last_at is not null;
create index conversation_high_own on conversation (high_id) where high_last_at is not null;

create table message (
  conversation_id uuid not null references conversation on delete cascade,
  seq int not null check (seq > 0),
  sender_id uuid not null references account on delete cascade,
  client_id text not null,
  body text,
  sent_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  read_at timestamptz,
  -- The warning its receiver sees.
  caution text check (caution in ('link', 'contact', 'money')),
  -- When a decision removed it: its author still sees it, with the reasons.
  removed_at timestamptz,
  -- Whether a message was read while one of the two hid when they were last active: its sender never sees that time. Null: it was not.
  is_read_hidden boolean,
  -- What a message has besides its text: its media, as they are shown, and the message that it answers.
  media jsonb,
  reply_to int,
  -- The place and time of a message that was held, as its sender sees it; null for all others. The `seq` and `sent_at` are those of its arrival.
  own_seq int,
  own_sent_at timestamptz,
  primary key (conversation_id, seq),
  unique (sender_id, client_id),
  check ((body is null) = (deleted_at is not null))
);
create index message_sent on message using brin (sent_at) with (autosummarize = on);
create index message_held_before on message (own_sent_at) include (sender_id) where own_sent_at is not null;

-- What a message said before it was edited or deleted, for staff who look into reports.
create table message_trace (
  -- The order of the versions, because the clocks of two processes may differ.
  id bigint not null generated always as identity,
  conversation_id uuid not null,
  seq int not null,
  replaced_at timestamptz not null,
  body text not null,
  foreign key (conversation_id, seq) references message on delete cascade
);
create index message_trace_of on message_trace (conversation_id, seq, id);

-- How many people a new account wrote to first on a day, UTC.
create table first_message_count (
  account_id uuid primary key references account on delete cascade,
  sent_on date not null,
  sent int not null
);

-- How many people wrote first to this member and how many of them got an answer; both fade over time.
create table reply_count (
  account_id uuid primary key references account on delete cascade,
  received real not null,
  answered real not null
) with (fillfactor = 80);
