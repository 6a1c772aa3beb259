-- no transaction
-- Replaces the index of the column mailbox, which is no longer read.
drop index concurrently if exists outsider_notice_mailbox_of;
create index concurrently outsider_notice_mailbox_of on outsider_notice (mailbox_of(email), checked_at) where checked_at is not null;
drop index concurrently if exists outsider_notice_mailbox;
