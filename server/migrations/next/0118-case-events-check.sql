-- no transaction
alter table case_event validate constraint case_event_kind_check;
