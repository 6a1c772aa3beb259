-- The files of data exports, and when they must not be kept any longer.

-- The file and the notification about it go with the row, also after a cascade. Parts of a file that is still being written are
-- recorded before, and deleted an hour later.
create function logic.export_deleted() returns trigger language plpgsql as $$
begin
  insert into media_discard (object_key, due_at)
    select old.object_key || '.' || part, now() from generate_series(0, old.parts - 1) part
    where old.object_key is not null on conflict do nothing;
  delete from notification where account_id = old.account_id and kind = 'export';
  return null;
end $$;
create trigger export_deleted after delete on data_export for each row execute function logic.export_deleted();

-- A new address or password may mean that the account changed hands, so what was prepared before is deleted.
create function logic.export_unsafe() returns trigger language plpgsql as $$
begin
  delete from data_export where account_id = new.id;
  return null;
end $$;
create trigger export_unsafe after update of email, password_hash, staff_role, is_active, leaving_since on account for each row
  when ((old.email, old.password_hash) is distinct from (new.email, new.password_hash)
    or new.staff_role is not null or not new.is_active or new.leaving_since is not null)
  execute function logic.export_unsafe();
