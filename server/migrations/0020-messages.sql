-- What two people who matched write to each other.

-- One row for each match, from the match on; it outlives it, so that a report can still be made of what was written.
create table conversation (
  id uuid primary key,
  low_id uuid not null references account on delete cascade,
  high_id uuid not null references account on delete cascade,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- The place of the newest message, and when it was written; without any, when the two matched.
  last_seq int not null default 0,
  last_at timestamptz not null,
  low_read int not null default 0,
  high_read int not null default 0,
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
  -- What its receiver is warned of.
  caution text check (caution in ('link', 'contact', 'money')),
  primary key (conversation_id, seq),
  unique (sender_id, client_id),
  check ((body is null) = (deleted_at is not null))
);

-- What a message said before it was changed or deleted, for those who look into reports.
create table message_trace (
  conversation_id uuid not null,
  seq int not null,
  replaced_at timestamptz not null,
  body text not null,
  foreign key (conversation_id, seq) references message on delete cascade
);
create index message_trace_of on message_trace (conversation_id, seq);

-- To how many people a young account wrote first, on a day, UTC.
create table first_message_count (
  account_id uuid primary key references account on delete cascade,
  sent_on date not null,
  sent int not null
);

create function conversation_begins() returns trigger language plpgsql as $$
begin
  insert into conversation (id, low_id, high_id, began_at, last_at)
    values (new.id, new.low_id, new.high_id, new.matched_at, new.matched_at);
  return null;
end $$;
create trigger match_begins_conversation after insert on match for each row execute function conversation_begins();

create function conversation_ends() returns trigger language plpgsql as $$
begin
  update conversation set ended_at = now() where id = old.id;
  return null;
end $$;
create trigger match_ends_conversation after delete on match for each row execute function conversation_ends();

insert into conversation (id, low_id, high_id, began_at, last_at)
  select id, low_id, high_id, matched_at, matched_at from match;

-- What is too long for a notification between processes; kept for seconds.
create table socket_io_attachments (
  id bigserial unique,
  created_at timestamptz not null default now(),
  payload bytea
);

-- Every process hears at once that a session, or a match, is over, whichever way it ended: with the commit, and never without.
create function tell_processes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'session' then
    perform pg_notify('heartwood', json_build_object('what', 'session-ended', 'id', old.id)::text);
  elsif tg_op = 'INSERT' then
    perform pg_notify('heartwood', json_build_object('what', 'match', 'id', new.id, 'low', new.low_id, 'high', new.high_id)::text);
  else
    perform pg_notify('heartwood',
      json_build_object('what', 'match-ended', 'id', old.id, 'low', old.low_id, 'high', old.high_id)::text);
  end if;
  return null;
end $$;
create trigger session_end_is_told after delete on session for each row execute function tell_processes();
create trigger match_is_told after insert or delete on match for each row execute function tell_processes();
