-- Photos and voice notes of messages, whose bytes are deleted with their row.

-- The bytes are kept for some minutes, because a report that is being filed may refer to them.
create function logic.message_media_gone() returns trigger language plpgsql as $$
begin
  insert into media_discard (object_key, due_at, account_id)
    values (old.object_key, now() + interval '5 minutes', old.account_id) on conflict do nothing;
  return null;
end $$;
create trigger message_media_gone after delete on message_media
  for each row execute function logic.message_media_gone();
