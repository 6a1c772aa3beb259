-- What members are told of, and how.

-- One unread row for each thing there is news of; more news of it is the same row. Messages, once read, leave none.
create table notification (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('message', 'match', 'like', 'report')),
  -- The match or the report; for likes, which are told together, the account itself.
  subject_id uuid not null,
  at timestamptz not null,
  read_at timestamptz,
  -- When it is mailed if it is unread by then; null once it was, or never.
  mail_due_at timestamptz,
  check (read_at is null or mail_due_at is null)
) with (fillfactor = 80);
create unique index notification_unread on notification (account_id, kind, subject_id) where read_at is null;
create index notification_of on notification (account_id, at desc, id desc) where kind <> 'message';
create index notification_mail_due on notification (mail_due_at, account_id) where mail_due_at is not null;
create index notification_subject on notification (subject_id);
create index notification_at on notification (at);

-- What somebody chose other than usual.
create table notification_choice (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('message', 'match', 'like', 'report')),
  mail text not null check (mail in ('now', 'daily', 'weekly', 'never')),
  push boolean not null,
  primary key (account_id, kind)
);

-- A browser that is told while its session lives. The address is the browser vendor's.
create table push_subscription (
  session_id uuid primary key references session on delete cascade,
  account_id uuid not null references account on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);
create index push_subscription_account on push_subscription (account_id);

-- With a match goes what was told of it and in it.
create function match_end_is_untold() returns trigger language plpgsql as $$
begin
  delete from notification where subject_id = old.id;
  return null;
end $$;
create trigger match_ends_notifications after delete on match for each row execute function match_end_is_untold();

-- Every process hears that there is news for somebody, or that they have read it. Messages are told in full.
create function notification_is_told() returns trigger language plpgsql as $$
begin
  perform pg_notify('heartwood', json_build_object('what', 'news', 'id', new.account_id)::text);
  return null;
end $$;
create trigger notification_told_insert after insert on notification for each row
  when (new.kind <> 'message') execute function notification_is_told();
create trigger notification_told_update after update on notification for each row
  when (new.kind <> 'message' and (old.at, old.read_at) is distinct from (new.at, new.read_at))
  execute function notification_is_told();
