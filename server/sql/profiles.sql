-- Records that the viewer is shown these people today, up to `most` people a day, and returns those who may be shown.
-- Matches don't count.
create function logic.note_seen(viewer uuid, others uuid[], today date, most int) returns uuid[] language plpgsql as $$
declare
  known uuid[];
  fresh uuid[];
begin
  select s.ids into known from seen_people s where s.viewer_id = viewer and s.seen_on = today;
  if others <@ known then
    return others;
  end if;
  insert into seen_people as s (viewer_id, seen_on, ids) values (viewer, today, '{}')
    on conflict (viewer_id) do update
      set seen_on = today, ids = case when s.seen_on = today then s.ids else '{}' end
    returning s.ids into known;
  fresh := array(
    select o.id from unnest(others) with ordinality as o (id, place)
    where o.id <> all (known) and not exists (
      select from match m where m.low_id = least(viewer, o.id) and m.high_id = greatest(viewer, o.id))
    order by o.place limit greatest(0, most - cardinality(known)));
  if cardinality(fresh) > 0 then
    update seen_people set ids = known || fresh where viewer_id = viewer;
  end if;
  return array(
    select o.id from unnest(others) as o (id)
    where o.id = any (known || fresh) or exists (
      select from match m where m.low_id = least(viewer, o.id) and m.high_id = greatest(viewer, o.id)));
end $$;

-- The square of one degree that contains a point.
create function logic.place_cell(latitude float8, longitude float8) returns int language sql immutable parallel safe
  return floor(latitude)::int * 360 + floor(longitude)::int;

-- A place can be found by its own name, and its spellings copy its size and cell.
create function logic.place_written() returns trigger language plpgsql as $$
begin
  update place_spelling s set population = p.population, cell = p.cell
    from (select id, population, logic.place_cell(latitude, longitude) as cell from written) p
    where s.place_id = p.id and (s.population, s.cell) is distinct from (p.population, p.cell);
  insert into place_spelling (place_id, name, population, cell)
    select id, name, population, logic.place_cell(latitude, longitude) from written
    on conflict do nothing;
  return null;
end $$;
create trigger place_inserted after insert on place referencing new table as written
  for each statement execute function logic.place_written();
create trigger place_updated after update on place referencing new table as written
  for each statement execute function logic.place_written();
