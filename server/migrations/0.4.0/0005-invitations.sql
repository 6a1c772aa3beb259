-- Links with which people join while the registration is by invitation.
create table invitation (
  id uuid primary key default gen_random_uuid(),
  -- Readable, because the link is copied again and opens nothing but the form to join.
  token text not null unique,
  note text not null,
  most int not null check (most between 1 and 1000),
  uses int not null default 0 check (uses between 0 and most),
  ends_at timestamptz not null,
  made_at timestamptz not null,
  made_by text not null,
  revoked_at timestamptz
);

-- Who joined with which link. The number of uses stays when an account is deleted.
create table invitation_use (
  account_id uuid primary key references account on delete cascade,
  invitation_id uuid not null references invitation on delete cascade,
  used_at timestamptz not null
);
create index invitation_use_invitation on invitation_use (invitation_id);
