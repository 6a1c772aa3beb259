-- The sandbox payment provider, which moves no money: the state that other providers keep on their own servers. The product reaches
-- it only through `PaymentProvider`, and nothing outside this schema refers to it.
create schema sandbox;

-- How far the sandbox's clock is ahead of the product's. One row.
create table sandbox.clock (
  only_one boolean primary key default true check (only_one),
  ahead_ms bigint not null check (ahead_ms >= 0)
);
insert into sandbox.clock (ahead_ms) values (0);

create table sandbox.customer (
  id text primary key,
  -- Null once the customer was deleted, like their address and name.
  account_id text unique,
  email text,
  name text,
  created_at timestamptz not null,
  deleted_at timestamptz,
  check (deleted_at is null or (account_id is null and email is null and name is null))
);

-- Saved cards. The token names the test card, which decides how it behaves.
create table sandbox.payment_method (
  id text primary key,
  customer_id text not null references sandbox.customer,
  token text not null,
  brand text not null,
  last4 text not null,
  exp_month smallint not null,
  exp_year smallint not null,
  fingerprint text not null,
  is_default boolean not null default false,
  created_at timestamptz not null
);
create index payment_method_customer on sandbox.payment_method (customer_id, created_at, id);
create unique index payment_method_default on sandbox.payment_method (customer_id) where is_default;

create table sandbox.subscription (
  id text primary key,
  customer_id text not null references sandbox.customer,
  status text not null check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled')),
  plan text not null,
  price_minor int not null check (price_minor >= 0),
  currency text not null,
  created_at timestamptz not null,
  -- The first day of the first paid period: later periods start on the same day of the month, or on the month's last day.
  anchor_at timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  trial_start timestamptz,
  trial_end timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz,
  payment_method_id text references sandbox.payment_method on delete set null,
  -- How many scheduled attempts at the payment that is due have failed.
  failed_tries smallint not null default 0,
  -- When the next automatic change is due; null once the subscription has ended.
  due_at timestamptz,
  check ((due_at is null) = (status in ('incomplete_expired', 'canceled')))
);
create index subscription_due on sandbox.subscription (due_at, id) where due_at is not null;
create index subscription_customer on sandbox.subscription (customer_id);
create index subscription_payment_method on sandbox.subscription (payment_method_id);

create table sandbox.invoice (
  id text primary key,
  seq int not null unique generated always as identity,
  customer_id text not null references sandbox.customer,
  subscription_id text not null references sandbox.subscription,
  -- What paying it does: start the subscription, pay for its next period, or change its plan.
  purpose text not null check (purpose in ('start', 'period', 'change')),
  status text not null check (status in ('open', 'paid', 'uncollectible', 'void', 'refunded')),
  plan text not null,
  total_minor int not null check (total_minor >= 0),
  currency text not null,
  created_at timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  paid_at timestamptz,
  check ((paid_at is not null) = (status in ('paid', 'refunded')))
);
create index invoice_customer on sandbox.invoice (customer_id, created_at desc, seq desc);
create index invoice_subscription on sandbox.invoice (subscription_id, seq desc);

-- What a payer is asked for: to pay an invoice, or to save a card (for a trial, if it names a subscription).
create table sandbox.intent (
  id text primary key,
  seq int not null unique generated always as identity,
  kind text not null check (kind in ('payment', 'setup')),
  client_secret text not null,
  customer_id text not null references sandbox.customer,
  subscription_id text references sandbox.subscription,
  invoice_id text unique references sandbox.invoice,
  status text not null check (status in ('open', 'requires_action', 'succeeded', 'canceled')),
  declined text,
  -- The token or saved card that the bank wants the payer to confirm.
  asked_about text,
  payment_method_id text references sandbox.payment_method on delete set null,
  created_at timestamptz not null,
  check ((kind = 'payment') = (invoice_id is not null)),
  check ((status = 'requires_action') = (asked_about is not null))
);
create index intent_subscription on sandbox.intent (subscription_id, seq desc) where subscription_id is not null;
create index intent_customer on sandbox.intent (customer_id);
create index intent_payment_method on sandbox.intent (payment_method_id);

create table sandbox.event (
  id text primary key,
  seq int not null unique generated always as identity,
  type text not null,
  created_at timestamptz not null,
  object_id text not null,
  customer_id text not null,
  subscription_id text,
  delivered_at timestamptz
);
create index event_delivered on sandbox.event (delivered_at) where delivered_at is not null;

-- Answers to commands, by digests of the idempotency key and of the request.
create table sandbox.idempotency (
  key_hash bytea primary key,
  wish_hash bytea not null,
  answer text not null,
  created_at timestamptz not null
);
create index idempotency_created on sandbox.idempotency (created_at);
