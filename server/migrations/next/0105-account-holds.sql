-- Accounts whose likes, notes and first messages wait until a person has decided, or until the time is over.
create table account_hold (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  case_id uuid not null references moderation_case on delete cascade,
  cause text not null check (cause in ('critical_case', 'ban_trace', 'rule')),
  -- The automatic rule, if one is the cause.
  rule_id uuid,
  since timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('released', 'dropped', 'expired')),
  -- Who of the staff released it without deciding the case.
  released_by_name text,
  constraint account_hold_ended check ((ended_at is null) = (outcome is null)),
  constraint account_hold_of_rule check ((cause = 'rule') = (rule_id is not null))
);
create unique index account_hold_open on account_hold (account_id) where ended_at is null;
create index account_hold_account on account_hold (account_id, since desc);
create index account_hold_case on account_hold (case_id, since desc);
create index account_hold_ending on account_hold (ends_at) where ended_at is null;

-- First messages that were not delivered. Only their sender sees them, numbered before the delivered ones.
create table held_message (
  conversation_id uuid not null references conversation on delete cascade,
  sender_id uuid not null references account on delete cascade,
  n int not null check (n > 0),
  client_id text not null,
  body text,
  sent_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  -- Whether it is never delivered, because the sender was sanctioned.
  is_dropped boolean not null default false,
  primary key (conversation_id, sender_id, n),
  unique (sender_id, client_id),
  constraint held_message_deleted check ((body is null) = (deleted_at is not null))
);
create index held_message_waiting on held_message (sender_id, sent_at) where not is_dropped;

-- How many of each side's messages precede the delivered ones in that side's own numbering, and up to which of them it has read while
-- none is delivered.
alter table conversation
  add column low_held int not null default 0,
  add column high_held int not null default 0,
  add column low_held_read int not null default 0,
  add column high_held_read int not null default 0;

-- A held like waits, a dropped one is never delivered. Only their sender sees either.
alter table decision drop constraint decision_kind_check;
alter table decision add constraint decision_kind_check
  check (kind in ('like', 'pass', 'unmatch', 'held', 'dropped')) not valid;
alter table decision drop constraint decision_check;
alter table decision add constraint decision_check check (
  (kind in ('like', 'held', 'dropped') or (note is null and liked_picture is null and liked_prompt is null))
  and (kind = 'like' or not is_pending)) not valid;

alter table case_event drop constraint case_event_kind_check;
alter table case_event add constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended', 'appeal_submitted', 'appeal_reviewed', 'appeal_decided', 'appeal_withdrawn', 'linked',
  'searched', 'held', 'hold_ended')) not valid;
