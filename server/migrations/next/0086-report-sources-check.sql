-- no transaction
drop index concurrently if exists report_opened_by;
create index concurrently report_opened_by on report (opened_by, created_at desc, id desc) where opened_by is not null;
drop index concurrently if exists report_own_initiative;
create index concurrently report_own_initiative on report (opened_at) where source = 'own_initiative';
alter table report validate constraint report_source_check;
alter table report validate constraint report_opened_check;
alter table appeal validate constraint appeal_not_opener;
