-- A change of address can be cancelled from the old address, and undone from there for a week.

alter table verification
  -- The session that asked for a change of address.
  add column session_id uuid references session on update cascade on delete set null,
  -- The link in the email to the old address that cancels the change.
  add column cancel_hash bytea unique,
  -- The requested address belongs to someone else: nothing was sent and no code fits, but the limits count the request.
  add column is_decoy boolean not null default false;
create index verification_session on verification (session_id) where session_id is not null;

-- The address an account had before a change, and what its owner could prove before it.
create table former_address (
  restore_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  email text not null,
  changed_at timestamptz not null,
  password_hash text
);
create index former_address_account on former_address (account_id, changed_at desc);
create index former_address_changed on former_address (changed_at);

-- A session gets a new id when its privilege is raised, so that its earlier tokens end.
alter table push_subscription
  drop constraint push_subscription_session_id_fkey,
  add constraint push_subscription_session_id_fkey
    foreign key (session_id) references session on update cascade on delete cascade;
