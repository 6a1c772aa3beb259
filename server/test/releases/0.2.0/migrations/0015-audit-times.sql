-- A time without end could not be sealed.
alter table audit_event add constraint audit_event_finite check (isfinite(at));
