-- no transaction
alter table report validate constraint report_source_check;
alter table report validate constraint report_opened_check;
