-- no transaction
alter table decision validate constraint decision_kind_check;
alter table decision validate constraint decision_check;
alter table case_event validate constraint case_event_kind_check;
drop index concurrently if exists decision_held;
create index concurrently decision_held on decision (viewer_id, decided_at) where kind in ('held', 'dropped');
