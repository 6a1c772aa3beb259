-- What two people who matched write to each other.

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
  check (low_id < high_id)
) with (fillfactor = 80);
create index conversation_low on conversation (low_id, last_at desc, id) where ended_at is null;
create index conversation_high on conversation (high_id, last_at desc, id) where ended_at is null;
create index conversation_of_low on conversation (low_id);
create index conversation_of_high on conversation (high_id);
create index conversation_ended on conversation (ended_at) where ended_at is not null;

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
  primary key (conversation_id, seq),
  unique (sender_id, client_id),
  check ((body is null) = (deleted_at is not null))
);

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
