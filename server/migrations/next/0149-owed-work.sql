-- Rows that remember what a job has promised, so that losing the job loses nothing. The job empties `…_due_since`.

-- Paid even if the account is deleted meanwhile.
alter table premium_refund
  add column provider_subscription text,
  add column parts jsonb not null default '[]',
  alter column account_id drop not null,
  alter column subscription_id drop not null,
  drop constraint premium_refund_account_id_fkey,
  drop constraint premium_refund_subscription_id_fkey,
  add constraint premium_refund_account_id_fkey foreign key (account_id) references account on delete set null,
  add constraint premium_refund_subscription_id_fkey foreign key (subscription_id) references subscription on delete set null;
create index premium_refund_unpaid on premium_refund (started_at) where paid_at is null;

-- The card setup whose card becomes the one that pays; null once it has.
alter table provider_event add column setup_intent_id text;

-- Accounts to compare with what is known about banned people.
create table ban_comparison (
  account_id uuid primary key references account on delete cascade,
  due_since timestamptz not null
);
alter table sanction add column search_due_since timestamptz;

-- Members to hide someone from: those who stored the address of an account, or one of them. An address that leads to no account counts as
-- one that doesn't exist.
create table hiding_due (
  account_id uuid not null,
  knower_id uuid references account on delete cascade,
  due_since timestamptz not null,
  unique nulls not distinct (account_id, knower_id)
);
create index hiding_due_knower on hiding_due (knower_id) where knower_id is not null;

-- When the outcome was set; null once the reporter was told, or needn't be.
alter table report_event add column notice_due_since timestamptz;

alter table outsider_notice add column filing_due_since timestamptz;
create index outsider_notice_filing on outsider_notice (filing_due_since) where filing_due_since is not null;

alter table emergency add column page_due_since timestamptz;
create index emergency_paging on emergency (page_due_since) where page_due_since is not null;

alter table message_media add column check_due_since timestamptz;
create index message_media_check on message_media (check_due_since) where check_due_since is not null;

create index bulk_act_running on bulk_act (started_at) where state = 'running';
