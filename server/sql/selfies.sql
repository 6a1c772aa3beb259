-- Selfies of members who want to be photo verified, whose bytes are deleted as soon as no row refers to them.

-- Bytes that were replaced, withdrawn or reviewed are due for deletion at once, and so are those of a deleted account.
create function logic.selfie_changed() returns trigger language plpgsql as $$
begin
  insert into media_discard (object_key, due_at)
    select key, now() from unnest(array[old.front_key, old.posed_key]) key
    where key is not null and (tg_op = 'DELETE' or key is distinct from new.front_key and key is distinct from new.posed_key)
    on conflict (object_key) do update set due_at = excluded.due_at;
  return null;
end $$;
create trigger selfie_changed after update of front_key, posed_key or delete on selfie_check
  for each row execute function logic.selfie_changed();
