-- The first name with which a goodbye is shown, as it was then.
alter table goodbye add column first_name text;
