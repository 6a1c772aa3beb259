-- no transaction
-- What is waiting, for the status of mail: a few rows of a large table.
drop index concurrently if exists mail_waiting;
create index concurrently mail_waiting on mail (created_at) where status = 'waiting';
