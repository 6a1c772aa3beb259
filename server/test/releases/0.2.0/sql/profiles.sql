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
