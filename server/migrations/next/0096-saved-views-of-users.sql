-- Lists of users are saved like lists of cases. Each screen has its own names.
alter table case_view add column screen text not null default 'cases' check (screen in ('cases', 'users'));
drop index case_view_name;
-- Also for deleting an account.
create unique index case_view_name on case_view (owner_id, screen, lower(name collate "und-x-icu")) nulls not distinct;
