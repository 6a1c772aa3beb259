-- Pictures: what members upload, how each stands, and the copies reports keep. The bytes lie in the storage under `object_key`.
create table picture (
  -- What others know it by.
  id uuid primary key default gen_random_uuid(),
  -- What its owner, and staff, name it by in calls.
  public_id text not null unique,
  account_id uuid not null references account on delete cascade,
  object_key text not null,
  name text not null,
  size int not null,
  width int not null,
  height int not null,
  placeholder text not null,
  -- SHA-256 of the bytes as they are kept.
  sha256 bytea not null,
  -- 64 bits that look-alikes share.
  dhash bigint not null,
  state text not null check (state in ('unclaimed', 'pending', 'approved', 'rejected')),
  -- 0 the profile picture, 1 to 8 further ones, -1 the profile picture before, which others see until the new one is approved.
  place smallint check (place between -1 and 8),
  reason text,
  uploaded_at timestamptz not null,
  claimed_at timestamptz,
  decided_at timestamptz,
  constraint picture_stands check ((place is null) = (state in ('unclaimed', 'rejected'))),
  constraint picture_place unique (account_id, place) deferrable initially deferred
);
create index picture_object on picture (object_key);
create index picture_pending on picture (claimed_at, id) where state = 'pending';
create index picture_approved on picture (decided_at desc, id desc) where state = 'approved';
create index picture_unclaimed on picture (uploaded_at) where state = 'unclaimed';
create index picture_rejected on picture (account_id) where state = 'rejected';

-- What was rejected, so that it does not come back. Two pictures that differ in at most six of the 64 bits have at least one
-- of the seven bands in common, which the index finds.
create table rejected_look (
  dhash bigint primary key,
  bands int[] not null,
  rejected_at timestamptz not null
);
create index rejected_look_bands on rejected_look using gin (bands);

-- Bytes that nothing may point at any more, or not yet: noted before they are written, swept once they are due. That takes a
-- while, since a report under way may be about to keep what was just deleted.
create table media_discard (
  object_key text primary key,
  due_at timestamptz not null
);
create index media_discard_due on media_discard (due_at);

-- Pictures as a report froze them; the bytes stay as long as this row does.
create table evidence_picture (
  evidence_id uuid not null references report_evidence on delete cascade,
  position smallint not null,
  report_id uuid not null references report on delete cascade,
  object_key text not null,
  primary key (evidence_id, position)
);
create index evidence_picture_object on evidence_picture (object_key);
alter table report_evidence drop constraint report_evidence_kind_check;
alter table report_evidence add constraint report_evidence_kind_check check (kind in ('profile', 'picture'));

-- The pictures as views need them, kept beside the profile by the triggers below.
alter table profile add column pictures jsonb not null default '[]';
alter table profile add column picture_count smallint not null default 0;
alter table profile drop column complete;
alter table profile add column complete boolean not null generated always as (
  first_name is not null and birth_date is not null and gender is not null
  and cardinality(seeking) > 0 and (city is not null or latitude is not null) and picture_count > 0
) stored;

create function picture_refresh(ids uuid[]) returns void language plpgsql as $$
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

create function picture_after_insert() returns trigger language plpgsql as $$
begin
  perform picture_refresh(array_agg(distinct account_id)) from new_rows where state <> 'unclaimed' having count(*) > 0;
  return null;
end $$;
create function picture_after_update() returns trigger language plpgsql as $$
begin
  perform picture_refresh(array_agg(distinct account_id)) from new_rows having count(*) > 0;
  -- A rejected picture is on no screen; its bytes go unless a report keeps them.
  insert into media_discard (object_key, due_at) select object_key, now() + interval '5 minutes' from new_rows where state = 'rejected'
    on conflict do nothing;
  return null;
end $$;
create function picture_after_delete() returns trigger language plpgsql as $$
begin
  perform picture_refresh(array_agg(distinct account_id)) from old_rows where state <> 'unclaimed' having count(*) > 0;
  insert into media_discard (object_key, due_at) select object_key, now() + interval '5 minutes' from old_rows on conflict do nothing;
  return null;
end $$;
create trigger picture_insert after insert on picture
  referencing new table as new_rows for each statement execute function picture_after_insert();
create trigger picture_update after update on picture
  referencing new table as new_rows for each statement execute function picture_after_update();
create trigger picture_delete after delete on picture
  referencing old table as old_rows for each statement execute function picture_after_delete();

create function evidence_picture_after_delete() returns trigger language plpgsql as $$
begin
  insert into media_discard (object_key, due_at) select object_key, now() + interval '5 minutes' from old_rows on conflict do nothing;
  return null;
end $$;
create trigger evidence_picture_delete after delete on evidence_picture
  referencing old table as old_rows for each statement execute function evidence_picture_after_delete();

-- Whoever has no picture yet is not complete any more: their rows in the directory follow.
select directory_refresh(ids) from (
  select array_agg(account_id) as ids from directory where is_complete
  group by ('x' || substr(md5(account_id::text), 1, 3))::bit(12)
) chunks;
