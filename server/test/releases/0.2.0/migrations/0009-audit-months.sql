-- One partition of the audit trail a month, so that retention drops whole months. They have a schema of their own, which the serving
-- role cannot enter: it reads and adds entries through the parent table. sql/append-only.sql creates and drops the months.
create schema audit;

alter table audit_event rename to former_audit_event;
create table audit_event (
  id bigint not null,
  at timestamptz not null,
  actor_id uuid,
  actor_name text not null,
  actor_role text not null,
  action text not null,
  target_type text not null,
  target_id uuid,
  reason text,
  changes jsonb
) partition by range (at);
-- Entries of a month without a partition, so that none is ever refused.
create table audit.other partition of audit_event default;

do $$ declare month timestamp; role record; begin
  -- Months in UTC; sql/ creates the current one and the next.
  for month in select distinct date_trunc('month', at at time zone 'UTC') from former_audit_event loop
    execute format('create table audit.%I partition of audit_event for values from (%L) to (%L)',
      'm' || to_char(month, 'YYYY_MM'), month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  end loop;
  -- Servers of the previous release go on while the new one starts.
  for role in
    select distinct grantee::regrole as name from pg_class, aclexplode(relacl)
      where pg_class.oid = 'former_audit_event'::regclass and grantee <> 0 and grantee <> relowner
  loop execute format('grant select, insert on audit_event to %s', role.name); end loop;
end $$;

insert into audit_event select id, at, actor_id, actor_name, actor_role, action, target_type, target_id, reason, changes
  from former_audit_event;
drop table former_audit_event;

alter table audit_event add primary key (id, at);
alter table audit_event alter id add generated always as identity;
select setval(pg_get_serial_sequence('audit_event', 'id'), (select coalesce(max(id), 0) + 1 from audit_event), false);
create index audit_event_action on audit_event (action, id desc);
create index audit_event_target on audit_event (target_id, id desc) where target_id is not null;
create index audit_event_actor on audit_event (actor_id, id desc) where actor_id is not null;
create index audit_event_at on audit_event (at);
