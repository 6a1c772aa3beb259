-- The language in which people read mails, and everything else that is worded for them without a request of theirs.
alter table account add column language text not null default 'en';
-- Of people without an account.
alter table mail add column language text not null default 'en';
alter table outsider_notice add column language text not null default 'en';
