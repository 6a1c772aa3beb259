-- no transaction
-- These few are subtracted from the counters for roles that don't see them.
drop index concurrently if exists report_may_be_minor;
create index concurrently report_may_be_minor on report (id) where may_be_minor and deleted_at is null;
