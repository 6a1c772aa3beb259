-- Passwords that were replaced lately: someone who knew one may have replaced it before they changed the address.
create table former_password (
  account_id uuid not null references account on delete cascade,
  password_hash text not null,
  replaced_at timestamptz not null,
  primary key (account_id, replaced_at)
);
create index former_password_replaced on former_password (replaced_at);
