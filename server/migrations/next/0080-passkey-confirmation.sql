-- A passkey whose counter went back signs in once more after a code, and its counter is then trusted again. No foreign key: a
-- challenge whose passkey was removed is refused when it is used.
alter table sign_in_challenge
  add column passkey_id uuid,
  add column passkey_counter bigint;
