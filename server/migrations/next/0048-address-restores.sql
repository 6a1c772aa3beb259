-- The link that undoes a change of address ends once a new password was chosen at the new address, or someone stopped the undoing.
alter table former_address add column is_restorable boolean not null default true;

-- When a change of address will be undone.
alter table account add column address_restore_at timestamptz;

-- What an undoing under way was asked for with, the link that stops it, and the password it will set.
create table address_restore (
  account_id uuid primary key references account on delete cascade,
  restore_hash bytea not null unique references former_address on delete cascade,
  stop_hash bytea not null unique,
  password_hash text not null,
  password_suits_staff boolean not null
);
