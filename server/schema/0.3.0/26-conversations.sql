-- What conversations have besides their messages.

-- First messages that were not delivered. Only their sender sees them, numbered before the delivered ones.
create table held_message (
  conversation_id uuid not null references conversation on delete cascade,
  sender_id uuid not null references account on delete cascade,
  n int not null check (n > 0),
  client_id text not null,
  body text,
  sent_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  -- Whether it is never delivered, because the sender was sanctioned.
  is_dropped boolean not null default false,
  media jsonb,
  reply_to int,
  hold_id uuid,
  primary key (conversation_id, sender_id, n),
  unique (sender_id, client_id),
  constraint held_message_deleted check ((body is null) = (deleted_at is not null))
);
create index held_message_waiting on held_message (sender_id, sent_at) where not is_dropped;

-- Photos and voice notes in conversations. The bytes are in the storage under `object_key`; `message.media` repeats what the two people see.
create table message_media (
  -- How both people and staff refer to it.
  id text primary key,
  account_id uuid not null references account on delete cascade,
  conversation_id uuid not null references conversation on delete cascade,
  kind text not null constraint message_media_kind_check check (kind in ('picture', 'voice')),
  object_key text not null,
  -- In bytes.
  size int not null,
  -- Of pictures.
  width int,
  height int,
  placeholder text,
  dhash bigint,
  -- Of voice notes.
  duration_ms int,
  peaks smallint[],
  sha256 bytea not null,
  -- What automatic checks found.
  labels text[] not null default '{}',
  is_once boolean not null default false,
  uploaded_at timestamptz not null,
  -- Null until a message has it. Uploads that no message has are deleted after a day.
  sent_at timestamptz,
  -- The number of its message, null as well while that is held.
  seq int,
  -- When the receiver opened what can be viewed once.
  opened_at timestamptz,
  -- When it was deleted, opened, blocked by a check, or its match ended: from then on only a report keeps it, for some days.
  withdrawn_at timestamptz,
  check_due_since timestamptz
);
create unique index message_media_object on message_media (object_key);
create index message_media_of on message_media (conversation_id, seq);
create index message_media_account on message_media (account_id, kind, uploaded_at);
create index message_media_unsent on message_media (uploaded_at) where sent_at is null;
create index message_media_withdrawn on message_media (withdrawn_at) where withdrawn_at is not null;
create index message_media_check on message_media (check_due_since) where check_due_since is not null;

-- A person's reaction to a message that they received. It goes with the message.
create table message_reaction (
  conversation_id uuid not null,
  seq int not null,
  account_id uuid not null references account on delete cascade,
  emoji text not null check (emoji in ('❤️', '😂', '😮', '😢', '👍', '🔥')),
  reacted_at timestamptz not null,
  primary key (conversation_id, seq, account_id),
  foreign key (conversation_id, seq) references message on delete cascade
);
create index message_reaction_of on message_reaction (account_id);

-- Conversations that ended with a goodbye, which the other person may still read for a while.
create table goodbye (
  conversation_id uuid primary key references conversation on delete cascade,
  reader_id uuid not null references account on delete cascade,
  said_at timestamptz not null,
  -- The first name with which a goodbye is shown, as it was then.
  first_name text
);
create index goodbye_reader on goodbye (reader_id);
create index goodbye_due on goodbye (said_at);

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
