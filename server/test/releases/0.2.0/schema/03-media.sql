-- Members' pictures. The bytes are in the storage under `object_key`; `profile.pictures` repeats what profiles show of them.

create table picture (
  -- How other members' views refer to it.
  id uuid primary key default gen_random_uuid(),
  -- How calls by its owner and by staff refer to it.
  public_id text not null unique,
  account_id uuid not null references account on delete cascade,
  object_key text not null,
  name text not null,
  size int not null,
  width int not null,
  height int not null,
  placeholder text not null,
  -- SHA-256 of the stored bytes.
  sha256 bytea not null,
  -- A perceptual hash of 64 bits, most of which similar pictures share.
  dhash bigint not null,
  state text not null check (state in ('unclaimed', 'pending', 'approved', 'rejected')),
  -- 0 is the profile picture, 1 to 8 are the others. -1 is the previous profile picture, shown until the new one is approved.
  place smallint check (place between -1 and 8),
  reason text,
  uploaded_at timestamptz not null,
  claimed_at timestamptz,
  decided_at timestamptz,
  constraint picture_has_place check ((place is null) = (state in ('unclaimed', 'rejected'))),
  constraint picture_place unique (account_id, place) deferrable initially deferred
);
create index picture_object on picture (object_key);
create index picture_pending on picture (claimed_at, id) where state = 'pending';
create index picture_approved on picture (decided_at desc, id desc) where state = 'approved';
create index picture_unclaimed on picture (uploaded_at) where state = 'unclaimed';
create index picture_rejected on picture (account_id) where state = 'rejected';

-- Hashes of rejected pictures, so that they can't be uploaded again. Two pictures that differ in at most six of the 64 bits share
-- at least one of the seven bands, which the index finds.
create table rejected_look (
  dhash bigint primary key,
  bands int[] not null,
  rejected_at timestamptz not null
);
create index rejected_look_bands on rejected_look using gin (bands);

-- Stored bytes that may have no row pointing at them, recorded before they are written. A job deletes them once they are due and
-- nothing refers to them. They wait because a report being filed may be about to keep a picture that was just deleted.
create table media_discard (
  object_key text primary key,
  due_at timestamptz not null
);
create index media_discard_due on media_discard (due_at);
