-- no transaction
-- Mails that can be sent again.
drop index concurrently if exists mail_dead;
create index concurrently mail_dead on mail (created_at) where status = 'dead' and data <> '{}';
