-- Since when the author of a notice is owed the mail that there is an answer; null once it was looked at.
alter table outsider_notice add column answer_due_since timestamptz;
create index outsider_notice_answer on outsider_notice (answer_due_since) where answer_due_since is not null;
drop index outsider_notice_closed_at, outsider_notice_answered_at;
