-- Staff see at once that figures and reports have changed; what they are now they ask for.

create function staff_are_told() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    perform pg_notify('heartwood', json_build_object('what', tg_argv[0])::text);
  end if;
  return null;
end $$;

create trigger statistic_told_insert after insert on statistic referencing new table as changed
  for each statement execute function staff_are_told('statistics');
create trigger statistic_told_update after update on statistic referencing new table as changed
  for each statement execute function staff_are_told('statistics');
create trigger report_told_insert after insert on report referencing new table as changed
  for each statement execute function staff_are_told('reports');
create trigger report_told_update after update on report referencing new table as changed
  for each statement execute function staff_are_told('reports');
create trigger report_told_delete after delete on report referencing old table as changed
  for each statement execute function staff_are_told('reports');
