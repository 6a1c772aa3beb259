create function logic.conversation_begins() returns trigger language plpgsql as $$
begin
  insert into conversation (id, low_id, high_id, began_at, last_at)
    values (new.id, new.low_id, new.high_id, new.matched_at, new.matched_at);
  return null;
end $$;
create trigger match_begins_conversation after insert on match for each row execute function logic.conversation_begins();

create function logic.conversation_ends() returns trigger language plpgsql as $$
begin
  update conversation set ended_at = now() where id = old.id;
  return null;
end $$;
create trigger match_ends_conversation after delete on match for each row execute function logic.conversation_ends();
