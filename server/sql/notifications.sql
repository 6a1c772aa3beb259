-- The notifications that PostgreSQL sends to all processes when a transaction commits. They contain only ids; the receiver reads the rest.

create function logic.notify_match(what text, id uuid, low_id uuid, high_id uuid) returns void language sql as $$
  select pg_notify('heartwood', json_build_object('what', what, 'id', id, 'low', low_id, 'high', high_id)::text)
$$;

create function logic.notify_news(account_id uuid, id uuid, is_read boolean) returns void language sql as $$
  select pg_notify('heartwood',
    json_build_object('what', 'news', 'id', account_id, 'notificationId', id, 'isRead', is_read)::text)
$$;

-- Notifies both sides of every match of an account that it appeared ('match') or disappeared ('match-ended'). The notification about a
-- match appears with it. There is no separate event for leaving, because it would distinguish someone who left from a block.
create function logic.notify_matches_of(account_id uuid, what text) returns void language sql as $$
  select logic.notify_match(what, c.id, c.low_id, c.high_id) from conversation c
    where c.ended_at is null and (c.low_id = account_id or c.high_id = account_id);
  select logic.notify_news(n.account_id, n.id, false) from conversation c join notification n on n.subject_id = c.id and n.kind = 'match'
    where what = 'match' and c.ended_at is null and notify_matches_of.account_id in (c.low_id, c.high_id)
$$;

-- Notifies staff about a changed report or case; with nulls, about possible new ones.
create function logic.notify_reports(report_id uuid, case_id uuid) returns void language sql as $$
  select pg_notify('heartwood', json_build_object('what', 'reports', 'reportId', report_id, 'caseId', case_id)::text)
$$;

create function logic.session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('heartwood', json_build_object('what', 'session-ended', 'id', old.id)::text);
  return null;
end $$;
-- When a session gets a new id, the old id ends.
create trigger session_ended after delete or update of id on session for each row execute function logic.session_ended();

-- Notifies a member who has a new notification or has read one. Messages have separate events.
create function logic.notification_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or (old.at, old.read_at) is distinct from (new.at, new.read_at) then
    perform logic.notify_news(new.account_id, new.id, tg_op = 'UPDATE' and new.read_at is not null);
  end if;
  return null;
end $$;
create trigger notification_changed after insert or update on notification for each row
  when (new.kind <> 'message') execute function logic.notification_changed();

-- Makes every process reload the settings and texts of the service.
create function logic.service_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('heartwood', json_build_object('what', 'service')::text);
  return null;
end $$;
create trigger service_changed after insert on service_version for each row execute function logic.service_changed();
create trigger service_changed after insert on published_text for each row execute function logic.service_changed();
