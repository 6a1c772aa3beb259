-- Records that must never change: the audit trail and the evidence of reports.

create function logic.refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event is append-only';
end $$;
create trigger audit_event_append_only before update or truncate on audit_event
  for each statement execute function logic.refuse_audit_change();

-- Retention deletes entries after two years; younger ones stay.
create function logic.refuse_early_audit_deletion() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '2 years' then
    raise exception 'audit_event is append-only for two years';
  end if;
  return old;
end $$;
create trigger audit_event_retention before delete on audit_event
  for each row execute function logic.refuse_early_audit_deletion();

-- If another role owns the tables, the serving role can't delete entries itself.
create function logic.drop_expired_audit() returns void language sql security definer set search_path = public, pg_temp as $$
  delete from audit_event where at <= now() - interval '2 years'
$$;

create function logic.refuse_evidence_change() returns trigger language plpgsql as $$
begin
  raise exception 'report_evidence is frozen';
end $$;
create trigger report_evidence_frozen before update on report_evidence
  for each statement execute function logic.refuse_evidence_change();
