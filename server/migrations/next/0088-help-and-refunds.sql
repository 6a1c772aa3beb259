-- Until then no password can be reset by mail, because staff corrected the address.
alter table account add column reset_held_until timestamptz;

-- From then on nothing is granted for a paid period, because the rest of it is paid back.
alter table subscription add column refunded_from timestamptz;

-- What people who are locked out get back of their premium, once for each subscription. A job pays it.
create table premium_refund (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null unique references subscription on delete cascade,
  account_id uuid not null references account on delete cascade,
  days int not null check (days > 0),
  amount_minor int not null check (amount_minor > 0),
  currency text not null,
  started_at timestamptz not null,
  paid_at timestamptz
);
create index premium_refund_account on premium_refund (account_id);
