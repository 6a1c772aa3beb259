-- Premium that staff give, and money that they pay back.

-- Premium that staff gave a member. Entitlement counts it like paid time; no figure of revenue does.
create table premium_grant (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  days int not null check (days between 1 and 366),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  reason text not null,
  granted_by_name text not null,
  granted_at timestamptz not null,
  revoked_at timestamptz
);
create index premium_grant_account on premium_grant (account_id, starts_at desc);

-- What people who are locked out get back of their premium, once for each subscription. A job pays it.
create table premium_refund (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid unique,
  account_id uuid,
  days int not null,
  amount_minor int not null,
  currency text not null,
  started_at timestamptz not null,
  paid_at timestamptz,
  -- Rows that remember what a job has promised, so that losing the job loses nothing. The job empties `…_due_since`.
  -- Paid even if the account is deleted meanwhile.
  provider_subscription text,
  parts jsonb not null default '[]',
  -- Also what ends without money, such as a withdrawal from a free trial.
  is_withdrawal boolean not null default false,
  constraint premium_refund_account_id_fkey foreign key (account_id) references account on delete set null,
  constraint premium_refund_subscription_id_fkey foreign key (subscription_id) references subscription on delete set null,
  constraint premium_refund_days_check check (days >= 0),
  constraint premium_refund_amount_minor_check check (amount_minor >= 0)
);
create index premium_refund_account on premium_refund (account_id);
create index premium_refund_unpaid on premium_refund (started_at) where paid_at is null;
