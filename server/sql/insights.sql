-- Records the days on which members were active, for the figures of active members. It writes once a day for each
-- member.
create function logic.note_active_day() returns trigger language plpgsql as $$
declare
  today date := (new.last_active_at at time zone 'UTC')::date;
begin
  insert into active_days as a (account_id, month, days)
  values (new.account_id, date_trunc('month', today)::date, 1 << (extract(day from today)::int - 1))
  on conflict (account_id, month) do update set days = a.days | excluded.days;
  return null;
end $$;
create trigger presence_inserted after insert on presence
  for each row when (isfinite(new.last_active_at)) execute function logic.note_active_day();
create trigger presence_visited after update of last_active_at on presence
  for each row when (isfinite(new.last_active_at)
    and (old.last_active_at at time zone 'UTC')::date is distinct from (new.last_active_at at time zone 'UTC')::date)
  execute function logic.note_active_day();
