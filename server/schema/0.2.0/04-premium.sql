-- Subscriptions as the payment provider knows them, what they entitle to, and receipts.


create sequence subscription_sync_ticket;

-- An account's customer id at a payment provider.
create table payment_customer (
  account_id uuid not null references account on delete cascade,
  provider text not null,
  customer_id text not null unique,
  created_at timestamptz not null,
  -- The customers that an account had before, which its provider no longer knew when they were needed.
  former_ids text[] not null default '{}',
  primary key (account_id, provider)
);
create index payment_customer_former on payment_customer using gin (former_ids) where former_ids <> '{}';

-- A copy of what the provider reports, replaced whenever it reports a change.
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
  -- At least one payment succeeded.
  ever_paid boolean not null default false,
  -- Orders concurrent readings from the provider: the one that started later wins.
  sync_ticket bigint not null default 0,
  change_count int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Premium is granted for payments of the amount and currency that members were asked for.
  -- What a change to a longer plan was to take at once, in minor units, by plan; a plan's full price is `price_minor`.
  asked_changes jsonb not null default '{}',
  -- Members can pause premium: nothing is charged between the end of the paid period and `paused_until`.
  paused_until timestamptz,
  -- The end of the pause that its member was last reminded of.
  reminded_of timestamptz,
  -- A keyed digest of the card that pays.
  card_hash bytea,
  -- The day of the month on which a subscription renews, or on the last day of shorter months; null until it is read again.
  anchor_day smallint,
  -- From then on nothing is granted for a paid period, because the rest of it is paid back.
  refunded_from timestamptz,
  -- Whether its buyer may withdraw from it, by their country when they bought it.
  withdrawable boolean not null default true,
  -- The plans that the buyer asked to start at once, so that days used before a withdrawal are paid for.
  starts_now text[] not null default '{}'
);
create unique index subscription_live on subscription (account_id)
  where status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused');
create index subscription_account on subscription (account_id, created_at desc);
create index subscription_to_reconcile on subscription (id)
  where status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused');
create index subscription_pending on subscription (paid_through) where pending_plan is not null;
create index subscription_paused on subscription (paused_until) where paused_until is not null;
create index subscription_ends on subscription (paid_through, plan, account_id)
  where status in ('trialing', 'active', 'past_due', 'unpaid', 'paused');

-- Premium, and until when unless something changes. The only source of account.is_vip.
create table entitlement (
  account_id uuid primary key references account on delete cascade deferrable initially deferred,
  until timestamptz not null
);
create index entitlement_until on entitlement (until);

-- Kept for ten years as tax law requires, without a name once the account is gone.
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
  hosted_url text,
  -- Whether a payment was the one that was asked for; another one is kept and grants nothing.
  is_as_asked boolean not null default true,
  -- Receipts that a tax office accepts.
  -- What a receipt states besides the payment: the seller and the tax when it was paid, the card, credit and discount. Never changed later.
  receipt jsonb,
  refunded_minor int not null default 0,
  refunded_at timestamptz
);
create index invoice_account on invoice (account_id, created_at desc, id) where account_id is not null;
create index invoice_subscription on invoice (subscription_id) where subscription_id is not null;
create index invoice_created on invoice (created_at);
create index invoice_paid on invoice (paid_at) where paid_at is not null;

-- Cards that had their free trial, as keyed digests.
create table trial_card (
  card_hash bytea primary key,
  account_id uuid references account on delete set null,
  tried_at timestamptz not null
);
create index trial_card_account on trial_card (account_id) where account_id is not null;

-- Events the provider sent, by the provider's id: each counts once.
create table provider_event (
  id text primary key,
  type text not null,
  subscription_id text,
  customer_id text,
  created_at timestamptz not null,
  received_at timestamptz not null,
  -- The card setup whose card becomes the one that pays; null once it has.
  setup_intent_id text
);
create index provider_event_received on provider_event (received_at);
create index provider_event_card on provider_event (setup_intent_id) where setup_intent_id is not null;

-- Customers whose account is gone and whose subscriptions still have to be ended at the provider.
create table customer_cleanup (
  customer_id text primary key,
  provider text not null,
  since timestamptz not null default now()
);

-- Premium that is given back after an overturned sanction. It is used up after what was paid for.
create table premium_credit (
  account_id uuid primary key references account on delete cascade,
  starts_at timestamptz not null,
  ms bigint not null check (ms > 0)
);
