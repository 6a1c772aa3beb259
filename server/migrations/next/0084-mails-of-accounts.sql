-- no transaction
-- The mails of an account, newest first. It replaces the index that only found them.
drop index concurrently if exists mail_account_created;
create index concurrently mail_account_created on mail (account_id, created_at desc, id desc) where account_id is not null;
drop index concurrently if exists mail_account;
