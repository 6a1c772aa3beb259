-- The trail is kept for two years and is append-only for as long: what is older may go, nothing may change.
drop trigger audit_event_append_only on audit_event;
create trigger audit_event_never_changes before update or truncate on audit_event
  for each statement execute function audit_event_is_append_only();
create function audit_event_is_old() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '2 years' then
    raise exception 'audit_event is append-only for two years';
  end if;
  return old;
end $$;
create trigger audit_event_stays before delete on audit_event
  for each row execute function audit_event_is_old();
create index audit_event_at on audit_event (at);
