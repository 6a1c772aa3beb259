-- What members are told, and where.

-- One unread row per subject; further events update that row. Rows about messages are deleted once read.
create table notification (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  kind text not null,
  -- The match or the report; for likes, which are combined into one, the account itself.
  subject_id uuid not null,
  at timestamptz not null,
  read_at timestamptz,
  -- When it is mailed if it is still unread; null once mailed, or if it never will be.
  mail_due_at timestamptz,
  check (read_at is null or mail_due_at is null),
  constraint notification_kind_check
  check (kind in ('message', 'match', 'like', 'report', 'export', 'verification', 'date', 'warning'))
) with (fillfactor = 80);
create unique index notification_unread on notification (account_id, kind, subject_id) where read_at is null;
create index notification_of on notification (account_id, at desc, id desc) where kind <> 'message';
create index notification_mail_due on notification (mail_due_at, account_id) where mail_due_at is not null;
create index notification_subject on notification (subject_id);
create index notification_at on notification (at);

-- Settings that differ from the default.
create table notification_choice (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  mail text not null check (mail in ('now', 'daily', 'weekly', 'never')),
  push boolean not null,
  primary key (account_id, kind),
  constraint notification_choice_kind_check
  check (kind in ('message', 'match', 'like', 'report', 'date'))
);

-- A browser that receives push notifications while its session lasts. The endpoint is an address of the browser's vendor.
create table push_subscription (
  session_id uuid primary key,
  account_id uuid not null references account on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  -- Since when a browser's push service has refused every notification for it.
  refused_since timestamptz,
  constraint push_subscription_session_id_fkey
    foreign key (session_id) references session on update cascade on delete cascade
);
create index push_subscription_account on push_subscription (account_id);
