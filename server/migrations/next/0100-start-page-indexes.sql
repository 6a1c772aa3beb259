-- no transaction
-- The newest answers and acts of one colleague. They also find all of them, so they replace the indexes without the order.
drop index concurrently if exists report_reply_author_newest;
create index concurrently report_reply_author_newest on report_reply (author_id, seq desc) where author_id is not null;
drop index concurrently if exists report_reply_author;
drop index concurrently if exists case_event_actor_newest;
create index concurrently case_event_actor_newest on case_event (actor_id, id desc) where actor_id is not null;
drop index concurrently if exists case_event_actor;
-- What a colleague opened and has not finished.
drop index concurrently if exists report_opened_unfinished;
create index concurrently report_opened_unfinished on report (opened_by)
  where opened_by is not null and status in ('pending', 'in_progress') and deleted_at is null;
