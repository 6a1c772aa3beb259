-- no transaction
drop index concurrently if exists account_address_restore;
create index concurrently account_address_restore on account (address_restore_at) where address_restore_at is not null;
