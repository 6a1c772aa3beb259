create function logic.picture_refresh(ids uuid[]) returns void language plpgsql as $$
begin
  update profile f
  set pictures = n.pictures, picture_count = n.standing
  from (
    select f.account_id,
      coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'id', p.id, 'publicId', p.public_id, 'key', p.object_key, 'name', p.name, 'size', p.size, 'width', p.width,
        'height', p.height, 'placeholder', p.placeholder, 'state', p.state, 'place', p.place, 'reason', p.reason
      )) order by p.place nulls last, p.decided_at) filter (where p.id is not null), '[]') as pictures,
      count(p.id) filter (where p.place >= 0) as standing
    from profile f left join picture p on p.account_id = f.account_id and p.state <> 'unclaimed'
    where f.account_id = any (ids) group by f.account_id
  ) n
  where f.account_id = n.account_id and (f.pictures, f.picture_count) is distinct from (n.pictures, n.standing::smallint);
end $$;

create function logic.picture_after_insert() returns trigger language plpgsql as $$
begin
  perform logic.picture_refresh(array_agg(distinct account_id)) from new_rows where state <> 'unclaimed' having count(*) > 0;
  return null;
end $$;
create trigger picture_insert after insert on picture
  referencing new table as new_rows for each statement execute function logic.picture_after_insert();

create function logic.picture_after_update() returns trigger language plpgsql as $$
begin
  perform logic.picture_refresh(array_agg(distinct account_id)) from new_rows having count(*) > 0;
  -- A rejected picture is on no screen; its bytes go unless a report keeps them.
  insert into media_discard (object_key, due_at) select object_key, now() + interval '5 minutes' from new_rows where state = 'rejected'
    on conflict do nothing;
  return null;
end $$;
create trigger picture_update after update on picture
  referencing new table as new_rows for each statement execute function logic.picture_after_update();

create function logic.picture_after_delete() returns trigger language plpgsql as $$
begin
  perform logic.picture_refresh(array_agg(distinct account_id)) from old_rows where state <> 'unclaimed' having count(*) > 0;
  insert into media_discard (object_key, due_at) select object_key, now() + interval '5 minutes' from old_rows on conflict do nothing;
  return null;
end $$;
create trigger picture_delete after delete on picture
  referencing old table as old_rows for each statement execute function logic.picture_after_delete();

create function logic.evidence_picture_after_delete() returns trigger language plpgsql as $$
begin
  insert into media_discard (object_key, due_at) select object_key, now() + interval '5 minutes' from old_rows on conflict do nothing;
  return null;
end $$;
create trigger evidence_picture_delete after delete on evidence_picture
  referencing old table as old_rows for each statement execute function logic.evidence_picture_after_delete();
