-- Changes with everything that cards show or compare, except what is learned; see `logic.refresh_discovery`.
alter table discovery_row add column version int not null default 0;
