-- The hash chain over the audit trail, which shows changes made around the product. Anyone who may rewrite the whole chain can hide
-- a change, except from a person who noted a hash from before it.

-- A batch of events as it is now. `previous` is the hash of the batch before it.
create function logic.audit_batch(previous bytea, batch bigint, after_id bigint, last_id bigint,
  out hash bytea, out event_count int, out until timestamptz) language sql stable as $$
  select sha256(previous || convert_to(format('%s %s %s', batch, last_id, count(*)), 'UTF8') || coalesce(string_agg(
      sha256(convert_to(jsonb_build_array(id, (extract(epoch from at) * 1000000)::bigint, actor_id, actor_name, actor_role, action,
        target_type, target_id, reason, changes)::text, 'UTF8')), ''::bytea order by id), '')),
    count(*)::int, max(at)
  from audit_event where id > after_id and id <= audit_batch.last_id
$$;

-- Seals the next batch of settled events, at most 5,000 of one month (UTC), because months are dropped as a whole. Returns the number of
-- its events, 0 if there are none. Events are settled up to the largest id at a moment when nobody writes: ids are taken before a
-- transaction commits, and then each one that was taken is committed or lost. Writers wait for that moment only, since the lock ends
-- with the inner block, and it is given up after 200 ms.
create function logic.seal_audit() returns int language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare newest audit_seal; settled_id bigint; upto bigint; sealed record;
begin
  begin
    lock table only audit_event in share mode;
    settled_id := (select coalesce(max(id), 0) from audit_event);
    raise sqlstate 'HW001';
  exception when sqlstate 'HW001' then null;
  end;
  lock table audit_seal in share row exclusive mode;
  select * into newest from audit_seal order by batch desc limit 1;
  newest.batch := coalesce(newest.batch, 0);
  newest.last_id := coalesce(newest.last_id, 0);
  newest.hash := coalesce(newest.hash, '');
  with next as (
    select id, date_trunc('month', at at time zone 'UTC') as month from audit_event
      where id > newest.last_id and id <= settled_id order by id limit 5000
  ), compared as (
    select id, month = first_value(month) over (order by id) as is_same from next
  )
  select max(id) into upto from compared
    where id < coalesce((select min(id) from compared where not is_same), 9223372036854775807);
  if upto is null then return 0; end if;
  select * into sealed from logic.audit_batch(newest.hash, newest.batch + 1, newest.last_id, upto);
  insert into audit_seal (batch, last_id, event_count, until, hash)
    values (newest.batch + 1, upto, sealed.event_count, sealed.until, sealed.hash);
  return sealed.event_count;
end $$;
