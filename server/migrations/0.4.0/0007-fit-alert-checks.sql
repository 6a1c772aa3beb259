-- no transaction
alter table notification validate constraint notification_kind_check;
alter table notification_choice validate constraint notification_choice_kind_check;
