create function logic.audit_event_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event is append-only';
end $$;
create trigger audit_event_never_changes before update or truncate on audit_event
  for each statement execute function logic.audit_event_is_append_only();

create function logic.audit_event_is_old() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '2 years' then
    raise exception 'audit_event is append-only for two years';
  end if;
  return old;
end $$;
create trigger audit_event_stays before delete on audit_event
  for each row execute function logic.audit_event_is_old();

create function logic.report_evidence_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'report_evidence is frozen';
end $$;
create trigger report_evidence_frozen before update on report_evidence
  for each statement execute function logic.report_evidence_is_frozen();
