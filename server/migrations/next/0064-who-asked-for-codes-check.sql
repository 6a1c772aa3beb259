-- no transaction
alter table verification validate constraint verification_asked_by_check;
