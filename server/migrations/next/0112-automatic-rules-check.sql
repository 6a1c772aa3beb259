-- no transaction
alter table case_event validate constraint case_event_kind_check;
alter table report validate constraint report_source_check;
alter table report validate constraint report_opened_check;
