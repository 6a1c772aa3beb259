-- no transaction
drop index concurrently if exists decision_of_hold;
create index concurrently decision_of_hold on decision (hold_id) where hold_id is not null;
