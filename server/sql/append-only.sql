-- Records that must never change: the audit trail and the evidence of reports.

create function logic.refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event is append-only';
end $$;
-- A row-level trigger, because statement-level triggers don't apply to partitions.
create trigger audit_event_append_only before update on audit_event
  for each row execute function logic.refuse_audit_change();
create trigger audit_event_truncation before truncate on audit_event
  for each statement execute function logic.refuse_audit_change();

create function logic.refuse_early_audit_deletion() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '2 years' then
    raise exception 'audit_event is append-only for two years';
  end if;
  return old;
end $$;
create trigger audit_event_retention before delete on audit_event
  for each row execute function logic.refuse_early_audit_deletion();

-- Drops the months that ended at least two years ago, by the bounds of their partitions, and entries of the same age in
-- audit.other. Entries about people and cases under a legal hold are copied to the hold. If another role owns the
-- tables, the serving role can delete entries only with this function, which deletes no others.
create function logic.drop_expired_audit() returns void language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare month regclass;
begin
  for month in
    select oid::regclass from pg_class join pg_inherits on inhrelid = oid
      where inhparent = 'audit_event'::regclass
        and substring(pg_get_expr(relpartbound, oid) from $re$ TO \('([^']+)'\)$re$)::timestamptz <= now() - interval '2 years'
  loop
    execute format('insert into legal_hold_copy (hold_id, kind, copied_at, data)
      select h.id, ''auditEvent'', now(), to_jsonb(e) from %s e
        join legal_hold h on h.released_at is null and e.target_id in (h.account_id, h.case_id)', month);
    execute format('drop table %s', month);
  end loop;
  with expired as (delete from audit.other where at <= now() - interval '2 years' returning *)
  insert into legal_hold_copy (hold_id, kind, copied_at, data)
    select h.id, 'auditEvent', now(), to_jsonb(e) from expired e
      join legal_hold h on h.released_at is null and e.target_id in (h.account_id, h.case_id);
end $$;

-- Creates the partitions of this month and the next three, in UTC. A month with entries in audit.other stays there. The lock is needed once
-- a month. Writers wait for it, so it is given up after two seconds.
create function logic.create_audit_months() returns void language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare month timestamp; since timestamptz; until timestamptz; part regclass;
begin
  for month in
    select date_trunc('month', now() at time zone 'UTC') + later * interval '1 month' from generate_series(0, 3) as later
  loop
    continue when to_regclass('audit.m' || to_char(month, 'YYYY_MM')) is not null;
    lock table audit_event;
    since := month at time zone 'UTC';
    until := (month + interval '1 month') at time zone 'UTC';
    continue when exists (select from audit.other where at >= since and at < until);
    execute format('create table if not exists audit.%I partition of audit_event for values from (%L) to (%L)',
      'm' || to_char(month, 'YYYY_MM'), since, until);
  end loop;
  -- Triggers of rows are inherited, those of statements are not.
  for part in
    select inhrelid from pg_inherits where inhparent = 'audit_event'::regclass
      and not exists (select from pg_trigger where tgrelid = inhrelid and tgname = 'audit_event_truncation')
  loop
    execute format('create trigger audit_event_truncation before truncate on %s
      for each statement execute function logic.refuse_audit_change()', part);
  end loop;
end $$;
select logic.create_audit_months();

create function logic.refuse_evidence_change() returns trigger language plpgsql as $$
begin
  raise exception 'report_evidence is frozen';
end $$;
create trigger report_evidence_frozen before update on report_evidence
  for each statement execute function logic.refuse_evidence_change();
