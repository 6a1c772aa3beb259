-- `profile.pictures`: what profiles show of their pictures.

-- Updates the profiles of these accounts; changes nothing if they are up to date.
create function logic.refresh_pictures(ids uuid[]) returns void language plpgsql as $$
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

-- Row-level triggers run after the whole statement, so of many changed rows the first refresh sees them all and the
-- others find nothing to do. Pictures that are rejected or deleted are no longer on any screen; their bytes are
-- deleted unless a report keeps them.
create function logic.picture_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'unclaimed' then
      perform logic.refresh_pictures(array[old.account_id]);
    end if;
    insert into media_discard (object_key, due_at) values (old.object_key, now() + interval '5 minutes') on conflict do nothing;
  else
    if tg_op = 'UPDATE' or new.state <> 'unclaimed' then
      perform logic.refresh_pictures(array[new.account_id]);
    end if;
    if tg_op = 'UPDATE' and new.state = 'rejected' then
      insert into media_discard (object_key, due_at) values (new.object_key, now() + interval '5 minutes') on conflict do nothing;
    end if;
  end if;
  return null;
end $$;
create trigger picture_changed after insert or update or delete on picture
  for each row execute function logic.picture_changed();
