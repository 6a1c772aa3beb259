-- When staff compared selfies with the pictures of a profile, the profile picture first. The date goes when they change.
alter table profile add column photo_verified_at timestamptz;
alter table profile add column photo_verified_ids uuid[];
alter table profile add column verified_contact_only boolean not null default false;
alter table discovery_row add column photo_verified boolean not null default false;
alter table discovery_row add column needs_photo_verified boolean not null default false;
create table selfie_check (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  pose text not null,
  -- How many poses were drawn for this attempt.
  poses int not null default 1,
  state text not null default 'drawn' constraint selfie_check_state_check
    check (state in ('drawn', 'waiting', 'approved', 'again', 'rejected', 'expired', 'withdrawn')),
  front_key text,
  posed_key text,
  asked_at timestamptz not null,
  sent_at timestamptz,
  decided_at timestamptz,
  decided_by_name text,
  reason text,
  constraint selfie_check_waiting_keys
    check (state <> 'waiting' or front_key is not null and posed_key is not null and sent_at is not null)
);
create unique index selfie_check_open on selfie_check (account_id) where state in ('drawn', 'waiting');
create index selfie_check_account on selfie_check (account_id, asked_at);
create index selfie_check_waiting on selfie_check (sent_at, id) where state = 'waiting';
create index selfie_check_asked on selfie_check (asked_at);
alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('message', 'match', 'like', 'report', 'export', 'verification')) not valid;
