-- When a mail is tried next, until when what it contains is valid, and since when it has been waiting.
alter table mail
  add column try_at timestamptz not null default '-infinity',
  add column expires_at timestamptz,
  add column waiting_since timestamptz not null default now();
