-- Which changes refresh which read models. The triggers work per statement, so that a change of many rows is one
-- refresh.

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

create function logic.answers_written() returns trigger language plpgsql as $$
begin
  update discovery_row r set version = r.version + 1 from new_rows n where r.account_id = n.account_id;
  return null;
end $$;
create trigger answers_inserted after insert on answer_sheet
  referencing new table as new_rows for each statement execute function logic.answers_written();
create trigger answers_updated after update on answer_sheet
  referencing new table as new_rows for each statement execute function logic.answers_written();
