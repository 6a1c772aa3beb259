-- Whoever leaves, is suspended or is hidden by anything else goes at once from where their matches have them on the screen, and
-- is there again as soon as they are shown.
create function matches_are_told(of_account uuid, what text) returns void language sql as $$
  select pg_notify('heartwood', json_build_object('what', what, 'id', c.id, 'low', c.low_id, 'high', c.high_id)::text)
    from conversation c
    where c.ended_at is null and (c.low_id = of_account or c.high_id = of_account)
$$;

create function shown_is_told() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform matches_are_told(old.account_id, 'match-ended');
  else
    perform matches_are_told(new.account_id, case when new.is_shown then 'match' else 'match-ended' end);
  end if;
  return null;
end $$;
create trigger directory_change_is_told after update of is_shown on directory for each row
  when (old.is_shown is distinct from new.is_shown) execute function shown_is_told();
create trigger directory_end_is_told after delete on directory for each row
  when (old.is_shown) execute function shown_is_told();

-- Only whoever comes back has matches when they come to the directory.
create function return_is_told() returns trigger language plpgsql as $$
begin
  perform matches_are_told(new.id, 'match');
  return null;
end $$;
create trigger account_return_is_told after update of leaving_since on account for each row
  when (old.leaving_since is not null and new.leaving_since is null) execute function return_is_told();
