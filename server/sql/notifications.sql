-- Every process hears at once that a session, or a match, is over, whichever way it ended: with the commit, and never without.
create function logic.tell_processes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'session' then
    perform pg_notify('heartwood', json_build_object('what', 'session-ended', 'id', old.id)::text);
  elsif tg_op = 'INSERT' then
    perform pg_notify('heartwood', json_build_object('what', 'match', 'id', new.id, 'low', new.low_id, 'high', new.high_id)::text);
  else
    perform pg_notify('heartwood',
      json_build_object('what', 'match-ended', 'id', old.id, 'low', old.low_id, 'high', old.high_id)::text);
  end if;
  return null;
end $$;
create trigger session_end_is_told after delete on session for each row execute function logic.tell_processes();
create trigger match_is_told after insert or delete on match for each row execute function logic.tell_processes();

-- With a match goes what was told of it and in it.
create function logic.match_end_is_untold() returns trigger language plpgsql as $$
begin
  delete from notification where subject_id = old.id;
  return null;
end $$;
create trigger match_ends_notifications after delete on match for each row execute function logic.match_end_is_untold();

-- Every process hears that there is news for somebody, or that they have read it. Messages are told in full.
create function logic.notification_is_told() returns trigger language plpgsql as $$
begin
  perform pg_notify('heartwood', json_build_object('what', 'news', 'id', new.account_id)::text);
  return null;
end $$;
create trigger notification_told_insert after insert on notification for each row
  when (new.kind <> 'message') execute function logic.notification_is_told();
create trigger notification_told_update after update on notification for each row
  when (new.kind <> 'message' and (old.at, old.read_at) is distinct from (new.at, new.read_at))
  execute function logic.notification_is_told();

create function logic.staff_are_told() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    perform pg_notify('heartwood', json_build_object('what', tg_argv[0])::text);
  end if;
  return null;
end $$;
create trigger statistic_told_insert after insert on statistic referencing new table as changed
  for each statement execute function logic.staff_are_told('statistics');
create trigger statistic_told_update after update on statistic referencing new table as changed
  for each statement execute function logic.staff_are_told('statistics');
create trigger report_told_insert after insert on report referencing new table as changed
  for each statement execute function logic.staff_are_told('reports');
create trigger report_told_update after update on report referencing new table as changed
  for each statement execute function logic.staff_are_told('reports');
create trigger report_told_delete after delete on report referencing old table as changed
  for each statement execute function logic.staff_are_told('reports');

-- Whoever leaves, is suspended or is hidden by anything else goes at once from where their matches have them on the screen, and
-- is there again as soon as they are shown.
create function logic.matches_are_told(of_account uuid, what text) returns void language sql as $$
  select pg_notify('heartwood', json_build_object('what', what, 'id', c.id, 'low', c.low_id, 'high', c.high_id)::text)
    from conversation c
    where c.ended_at is null and (c.low_id = of_account or c.high_id = of_account)
$$;

create function logic.shown_is_told() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform logic.matches_are_told(old.account_id, 'match-ended');
  else
    perform logic.matches_are_told(new.account_id, case when new.is_shown then 'match' else 'match-ended' end);
  end if;
  return null;
end $$;
create trigger directory_change_is_told after update of is_shown on directory for each row
  when (old.is_shown is distinct from new.is_shown) execute function logic.shown_is_told();
create trigger directory_end_is_told after delete on directory for each row
  when (old.is_shown) execute function logic.shown_is_told();

-- Only whoever comes back has matches when they come to the directory.
create function logic.return_is_told() returns trigger language plpgsql as $$
begin
  perform logic.matches_are_told(new.id, 'match');
  return null;
end $$;
create trigger account_return_is_told after update of leaving_since on account for each row
  when (old.leaving_since is not null and new.leaving_since is null) execute function logic.return_is_told();
