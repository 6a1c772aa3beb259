-- The triggers that refresh the read models. They work per statement, so that a change of many rows causes one refresh.

create function logic.account_updated() returns trigger language plpgsql as $$
begin
  perform logic.refresh_directory(array_agg(n.id)) from new_rows n join old_rows o on o.id = n.id
    where (n.email, n.email_verified_at, n.staff_role, n.is_active, n.is_hidden, n.is_vip, n.leaving_since)
      is distinct from (o.email, o.email_verified_at, o.staff_role, o.is_active, o.is_hidden, o.is_vip, o.leaving_since)
    having count(*) > 0;
  perform logic.refresh_discovery(array_agg(n.id)) from new_rows n join old_rows o on o.id = n.id
    where (n.email_verified_at is null, n.staff_role, n.is_active, n.is_hidden, n.is_vip, n.leaving_since is null)
      is distinct from (o.email_verified_at is null, o.staff_role, o.is_active, o.is_hidden, o.is_vip, o.leaving_since is null)
    having count(*) > 0;
  -- Only a member who comes back has matches when they enter the directory.
  perform logic.notify_matches_of(n.id, 'match') from new_rows n join old_rows o on o.id = n.id
    where o.leaving_since is not null and n.leaving_since is null;
  -- A new address or password may mean that the account changed hands, so a prepared export is invalidated with the key
  -- to its file. The row stays, so that the waiting time until the next one does not change.
  with ended as (
    update data_export d set state = 'failed', id = gen_random_uuid(), session_id = null, ready_at = null, object_key = null, parts = null,
        secret = null, size_bytes = null
      from new_rows n, old_rows o, data_export before where d.account_id = n.id and o.id = n.id and before.account_id = n.id
      and ((n.email, n.password_hash) is distinct from (o.email, o.password_hash)
        or n.staff_role is not null or (o.is_active and not n.is_active) or n.leaving_since is not null)
      returning before.object_key, before.parts
  )
  update media_discard set due_at = now() from ended, generate_series(0, ended.parts - 1) part
    where media_discard.object_key = ended.object_key || '.' || part;
  return null;
end $$;
create trigger account_updated after update on account
  referencing old table as old_rows new table as new_rows
  for each statement execute function logic.account_updated();

create function logic.profile_written() returns trigger language plpgsql as $$
begin
  perform logic.refresh_directory(array_agg(account_id)), logic.refresh_discovery(array_agg(account_id))
    from new_rows having count(*) > 0;
  return null;
end $$;
create trigger profile_inserted after insert on profile
  referencing new table as new_rows for each statement execute function logic.profile_written();
create trigger profile_updated after update on profile
  referencing new table as new_rows for each statement execute function logic.profile_written();

create function logic.preference_written() returns trigger language plpgsql as $$
begin
  perform logic.refresh_discovery(array[new.account_id]);
  return null;
end $$;
create trigger preference_written after insert or update on preference
  for each row execute function logic.preference_written();
