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
