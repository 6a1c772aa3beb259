-- Premium: what a member subscribed to, what was paid, and until when that entitles them.

-- Who an account is to a payment provider.
create table payment_customer (
  account_id uuid not null references account on delete cascade,
  provider text not null,
  customer_id text not null unique,
  created_at timestamptz not null,
  primary key (account_id, provider)
);

-- A copy of what the provider says, written anew whenever it says that something changed.
create table subscription (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  provider text not null,
  -- Null until the provider has answered for the first time.
  provider_id text unique,
  plan text not null check (plan in ('monthly', 'quarterly', 'annual')),
  pending_plan text check (pending_plan in ('monthly', 'quarterly', 'annual')),
  status text not null check (status in
    ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'canceled', 'paused')),
  price_minor int not null check (price_minor >= 0),
  currency text not null,
  trial_days int not null default 0,
  period_start timestamptz,
  paid_through timestamptz,
  renewal_open_until timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz,
  ended_at timestamptz,
  trial_start timestamptz,
  trial_end timestamptz,
  -- Something was paid for it, once.
  ever_paid boolean not null default false,
  -- Of two readings the one begun later counts.
  sync_ticket bigint not null default 0,
  change_count int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index subscription_live on subscription (account_id)
  where status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused');
create index subscription_account on subscription (account_id, created_at desc);
create index subscription_to_reconcile on subscription (id)
  where status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused');
create index subscription_pending on subscription (paid_through) where pending_plan is not null;
create sequence subscription_sync_ticket;

-- Kept ten years, as the books have to be, without a name once the account is gone.
create table invoice (
  id text primary key,
  account_id uuid references account on delete set null,
  subscription_id uuid references subscription on delete set null,
  provider text not null,
  number text,
  status text not null check (status in ('draft', 'open', 'paid', 'uncollectible', 'void', 'refunded')),
  plan text check (plan in ('monthly', 'quarterly', 'annual')),
  total_minor int not null,
  currency text not null,
  created_at timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  paid_at timestamptz,
  hosted_url text
);
create index invoice_account on invoice (account_id, created_at desc, id) where account_id is not null;
create index invoice_subscription on invoice (subscription_id) where subscription_id is not null;
create index invoice_created on invoice (created_at);

-- Cards that had their free trial, as keyed digests.
create table trial_card (
  card_hash bytea primary key,
  account_id uuid references account on delete set null,
  tried_at timestamptz not null
);
create index trial_card_account on trial_card (account_id) where account_id is not null;

-- What the provider sent, by its own name for it: each counts once.
create table provider_event (
  id text primary key,
  type text not null,
  subscription_id text,
  customer_id text,
  created_at timestamptz not null,
  received_at timestamptz not null
);
create index provider_event_received on provider_event (received_at);

-- Customers whose account is gone: their subscriptions have yet to be ended at the provider.
create table payment_farewell (
  customer_id text primary key,
  provider text not null,
  since timestamptz not null default now()
);
create function farewell_to_customer() returns trigger language plpgsql as $$
begin
  insert into payment_farewell (customer_id, provider) values (old.customer_id, old.provider) on conflict do nothing;
  return null;
end $$;
create trigger payment_customer_gone after delete on payment_customer
  for each row execute function farewell_to_customer();

-- Premium, and until when unless something changes. The only source of account.is_vip.
create table entitlement (
  account_id uuid primary key references account on delete cascade deferrable initially deferred,
  until timestamptz not null
);
create index entitlement_until on entitlement (until);
-- Premium that was given before it could be bought lasts a month.
insert into entitlement (account_id, until) select id, now() + interval '31 days' from account where is_vip;

create function account_is_vip() returns trigger language plpgsql as $$
begin
  new.is_vip := exists (select from entitlement where account_id = new.id);
  return new;
end $$;
create trigger account_vip before insert or update of is_vip on account
  for each row execute function account_is_vip();

create function entitlement_shows() returns trigger language plpgsql as $$
begin
  update account set is_vip = (tg_op = 'INSERT') where id = coalesce(new.account_id, old.account_id);
  return null;
end $$;
create trigger entitlement_begins after insert on entitlement for each row execute function entitlement_shows();
create trigger entitlement_ends after delete on entitlement for each row execute function entitlement_shows();

-- The figures of premium, as differences to the counters.
create function premium_keys(s subscription) returns table (kind text, key text, n bigint) language sql immutable as $$
  select v.kind, v.key, v.n from (values
    ('premium', 'active', (s.status = 'active')::int::bigint),
    ('premium', 'trialing', (s.status = 'trialing')::int::bigint),
    ('premium', 'past_due', (s.status = 'past_due')::int::bigint),
    ('premium', 'monthlyMinor ' || s.currency,
      case when s.status in ('active', 'past_due')
        then round(s.price_minor::numeric / case s.plan when 'monthly' then 1 when 'quarterly' then 3 else 12 end)::bigint
        else 0 end),
    ('churned', to_char(s.ended_at at time zone 'UTC', 'YYYY-MM'),
      (s.ever_paid and s.ended_at is not null)::int::bigint)
  ) as v (kind, key, n) where v.n <> 0
$$;
create function premium_counted() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into statistic_delta select kind, key, -n from premium_keys(old);
  end if;
  if tg_op <> 'DELETE' then
    insert into statistic_delta select kind, key, n from premium_keys(new);
  elsif old.ever_paid then
    -- A deleted account is a loss like any other, and stays one.
    insert into statistic_delta values ('churned', to_char(coalesce(old.ended_at, now()) at time zone 'UTC', 'YYYY-MM'), 1);
  end if;
  return null;
end $$;
create trigger premium_statistic after insert or delete or update of status, plan, price_minor, currency, ended_at, ever_paid
  on subscription for each row execute function premium_counted();

-- A key can be taken before there is an answer to keep.
alter table idempotency alter column sealed_answer drop not null;
