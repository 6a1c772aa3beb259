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
  withdrawn_at timestamptz
);
create unique index message_media_object on message_media (object_key);
create index message_media_of on message_media (conversation_id, seq);
create index message_media_account on message_media (account_id, kind, uploaded_at);
create index message_media_unsent on message_media (uploaded_at) where sent_at is null;
create index message_media_withdrawn on message_media (withdrawn_at) where withdrawn_at is not null;
