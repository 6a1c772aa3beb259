-- Members can pause premium: nothing is charged between the end of the paid period and `paused_until`.

alter table subscription add column paused_until timestamptz;
-- The end of the pause that its member was last reminded of.
alter table subscription add column reminded_of timestamptz;
create index subscription_paused on subscription (paused_until) where paused_until is not null;

alter table sandbox.subscription add column paused_until timestamptz;
