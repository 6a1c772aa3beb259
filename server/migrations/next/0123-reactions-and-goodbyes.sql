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
  said_at timestamptz not null
);
create index goodbye_reader on goodbye (reader_id);
create index goodbye_due on goodbye (said_at);
