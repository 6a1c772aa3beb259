-- What is remembered of checked pictures.

create table refused_look (
  account_id uuid not null references account on delete cascade,
  dhash bigint not null references rejected_look on delete cascade,
  primary key (account_id, dhash)
);
create index refused_look_dhash on refused_look (dhash);

-- Pictures of different accounts that look the same, each pair in both directions. A pair goes with either picture.
create table same_picture (
  picture_id uuid not null references picture on delete cascade,
  other_id uuid not null references picture on delete cascade,
  primary key (picture_id, other_id)
);
create index same_picture_other on same_picture (other_id);

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
