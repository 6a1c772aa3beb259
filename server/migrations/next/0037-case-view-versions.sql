-- A saved list that a colleague has changed in the meantime is not overwritten.
alter table case_view add column version int not null default 1;
