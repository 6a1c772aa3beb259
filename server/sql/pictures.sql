-- `profile.pictures`: what profiles show of their pictures.

-- Updates the profiles of these accounts; changes nothing if they are up to date. A photo verification ends with another profile picture,
-- and with three pictures that staff have not compared.
create function logic.refresh_pictures(ids uuid[]) returns void language plpgsql as $$
begin
  update profile f
  set pictures = n.pictures, picture_count = n.standing, photo_verified_at = n.photo_verified_at
  from (
    select f.account_id,
      coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'id', p.id, 'publicId', p.public_id, 'key', p.object_key, 'name', p.name, 'size', p.size, 'width', p.width,
        'height', p.height, 'placeholder', p.placeholder, 'state', p.state, 'place', p.place, 'reason', p.reason
      )) order by p.place nulls last, p.decided_at) filter (where p.id is not null), '[]') as pictures,
      count(p.id) filter (where p.place >= 0) as standing,
      case when (array_agg(p.id) filter (where p.place = 0))[1] = f.photo_verified_ids[1]
        and count(p.id) filter (where p.place > 0 and p.id <> all (f.photo_verified_ids)) < 3
        then f.photo_verified_at end as photo_verified_at
    from profile f left join picture p on p.account_id = f.account_id and p.state <> 'unclaimed'
    where f.account_id = any (ids) group by f.account_id
  ) n
  where f.account_id = n.account_id and (f.pictures, f.picture_count, f.photo_verified_at)
    is distinct from (n.pictures, n.standing::smallint, n.photo_verified_at);
end $$;

-- Row-level triggers run after the whole statement, so when many rows change, the first refresh sees all changes and the others find
-- nothing to do. Rejected and deleted pictures are no longer on any screen; their bytes are deleted unless a report uses them.
create function logic.picture_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'unclaimed' then
      perform logic.refresh_pictures(array[old.account_id]);
    end if;
    insert into media_discard (object_key, due_at, account_id)
      values (old.object_key, now() + interval '5 minutes', old.account_id) on conflict do nothing;
  else
    if tg_op = 'UPDATE' or new.state <> 'unclaimed' then
      perform logic.refresh_pictures(array[new.account_id]);
    end if;
    if tg_op = 'UPDATE' and new.state = 'rejected' then
      insert into media_discard (object_key, due_at, account_id)
        values (new.object_key, now() + interval '5 minutes', new.account_id) on conflict do nothing;
    end if;
  end if;
  return null;
end $$;
create trigger picture_changed after insert or update or delete on picture
  for each row execute function logic.picture_changed();
