-- no transaction
-- Until when a member of staff has seen what changed in their matters.
create table if not exists start_visit (
  account_id uuid primary key references account on delete cascade,
  seen_at timestamptz not null
);
-- When an act on many people was done or canceled.
alter table bulk_act add column if not exists finished_at timestamptz;

-- The newest answers and acts of one colleague. These also find all of them, as the indexes that they replace.
drop index concurrently if exists report_reply_author_newest;
create index concurrently report_reply_author_newest on report_reply (author_id, seq desc) where author_id is not null;
drop index concurrently if exists report_reply_author;
drop index concurrently if exists case_event_actor_newest;
create index concurrently case_event_actor_newest on case_event (actor_id, id desc) where actor_id is not null;
drop index concurrently if exists case_event_actor;
-- What a colleague opened and has not finished.
drop index concurrently if exists report_opened_unfinished;
create index concurrently report_opened_unfinished on report (opened_by, created_at, id)
  where opened_by is not null and status in ('pending', 'in_progress') and deleted_at is null;
