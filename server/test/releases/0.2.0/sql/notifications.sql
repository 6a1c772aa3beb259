-- The notifications that PostgreSQL sends to all processes: at the commit, and never without it. They carry ids only;
-- the receiver reads the rest.

create function logic.notify_match(what text, id uuid, low_id uuid, high_id uuid) returns void language sql as $$
  select pg_notify('heartwood', json_build_object('what', what, 'id', id, 'low', low_id, 'high', high_id)::text)
$$;

-- Notifies both sides of every match of an account that it appeared ('match') or disappeared ('match-ended').
create function logic.notify_matches_of(account_id uuid, what text) returns void language sql as $$
  select logic.notify_match(what, c.id, c.low_id, c.high_id) from conversation c
    where c.ended_at is null and (c.low_id = account_id or c.high_id = account_id)
$$;

create function logic.session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('heartwood', json_build_object('what', 'session-ended', 'id', old.id)::text);
  return null;
end $$;
-- A session that gets a new id ends under its old one.
create trigger session_ended after delete or update of id on session for each row execute function logic.session_ended();

-- A member has a new notification, or has read one. Messages have events of their own.
create function logic.notification_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or (old.at, old.read_at) is distinct from (new.at, new.read_at) then
    perform pg_notify('heartwood', json_build_object('what', 'news', 'id', new.account_id)::text);
  end if;
  return null;
end $$;
create trigger notification_changed after insert or update on notification for each row
  when (new.kind <> 'message') execute function logic.notification_changed();
