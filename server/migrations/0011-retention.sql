-- How accounts end: who was warned, which addresses stay out, and what makes an end cost no more than it takes away.

-- Members who were mailed that their account goes unless they come back.
create table inactivity_warning (
  account_id uuid primary key references account on delete cascade,
  warned_at timestamptz not null
);
create index inactivity_warning_warned on inactivity_warning (warned_at);

-- Addresses of accounts that were deactivated when they ended, as keyed digests that tell nobody whose they were.
create table refused_address (
  address_hash bytea primary key,
  refused_until timestamptz not null
);
create index refused_address_until on refused_address (refused_until);

-- Whose mail it is, whatever address it went to; it goes with the account.
alter table mail add column account_id uuid references account on delete cascade;
update mail m set account_id = a.id from account a where a.email = m.recipient;
create index mail_account on mail (account_id) where account_id is not null;

create index account_leaving on account (leaving_since) where leaving_since is not null;
create index account_unverified on account (created_at) where email_verified_at is null;
-- Without these, each account that ends would be looked for in every reply and every event there is.
create index report_reply_author on report_reply (author_id) where author_id is not null;
create index report_event_actor on report_event (actor_id) where actor_id is not null;
