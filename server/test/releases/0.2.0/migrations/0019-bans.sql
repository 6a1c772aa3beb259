-- What is kept of a banned person, so that they are noticed when they come back: keyed digests, never the values. They go with the ban.
create table ban_trace (
  sanction_id uuid not null references sanction on delete cascade,
  kind text not null check (kind in ('address', 'identity', 'card', 'picture')),
  -- A picture has several digests, most of which similar pictures share.
  item smallint not null,
  hash bytea not null,
  kept_since timestamptz not null,
  primary key (sanction_id, kind, item, hash)
);
create index ban_trace_hash on ban_trace (hash);
create index ban_trace_kept_since on ban_trace (kept_since);

-- What an account has in common with a banned person, for staff to review. Members never learn of it.
create table account_link (
  account_id uuid not null references account on delete cascade,
  sanction_id uuid not null references sanction on delete cascade,
  kind text not null check (kind in ('address', 'identity', 'card', 'picture')),
  strength text not null check (strength in ('strong', 'medium', 'weak')),
  found_at timestamptz not null,
  -- When staff decided about it.
  reviewed_at timestamptz,
  primary key (account_id, sanction_id, kind)
);
create index account_link_sanction on account_link (sanction_id);

-- A keyed digest of the card that pays.
alter table subscription add column card_hash bytea;

-- Premium that is given back after an overturned sanction. It is used up after what was paid for.
create table premium_credit (
  account_id uuid primary key references account on delete cascade,
  starts_at timestamptz not null,
  ms bigint not null check (ms > 0)
);

alter table case_event drop constraint case_event_kind_check;
alter table case_event add constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended', 'appeal_submitted', 'appeal_reviewed', 'appeal_decided', 'appeal_withdrawn', 'linked'));
