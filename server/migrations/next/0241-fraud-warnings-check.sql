-- no transaction
alter table notification validate constraint notification_kind_check;
