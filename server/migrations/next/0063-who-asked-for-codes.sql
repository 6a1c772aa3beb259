-- The handle of joining is the only one that shows the password, and people without a session must not use up the owner's tries.
alter table verification add column asked_by text not null default 'address';
alter table verification add column owner_tries int not null default 0;
alter table verification add constraint verification_asked_by_check check (asked_by in ('join', 'owner', 'address')) not valid;
