-- no transaction
alter table case_event validate constraint case_event_kind_check;
alter table case_decision validate constraint case_decision_kind_check;
alter table case_decision validate constraint case_decision_complete;
