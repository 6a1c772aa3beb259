-- no transaction
-- What closed cases are searched by, newest decision first, and whether someone appealed.
drop index concurrently if exists case_decision_time;
create index concurrently case_decision_time on case_decision (decided_at desc, id desc);
drop index concurrently if exists case_decision_decider_time;
create index concurrently case_decision_decider_time on case_decision (decided_by, decided_at desc, id desc);
drop index concurrently if exists case_decision_rule_time;
create index concurrently case_decision_rule_time on case_decision (rule_id, decided_at desc, id desc) where rule_id is not null;
drop index concurrently if exists appeal_decision_id;
create index concurrently appeal_decision_id on appeal (decision_id);
