-- What members decide about each other.

-- One row for each whom somebody has decided on, so that nobody is shown again.
create table decision (
  viewer_id uuid not null references account on delete cascade,
  target_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('like', 'pass', 'unmatch')),
  decided_at timestamptz not null,
  note text check (char_length(note) between 1 and 140),
  liked_picture uuid,
  liked_prompt text,
  -- A like that its target has not answered, neither by a like nor by a pass.
  is_pending boolean not null default false,
  primary key (viewer_id, target_id),
  constraint decision_on_another check (viewer_id <> target_id),
  check (kind = 'like' or (note is null and liked_picture is null and liked_prompt is null and not is_pending))
);
create index decision_received on decision (target_id, decided_at desc, viewer_id) where is_pending;
create index decision_target on decision (target_id);
create index decision_likers on decision (target_id) where kind = 'like';
create index decision_newest on decision (viewer_id, decided_at desc, target_id);
create index decision_sent on decision (viewer_id, decided_at desc, target_id) where kind = 'like';

-- Two likes that met: one row for two people, the smaller id first.
create table match (
  id uuid primary key default gen_random_uuid(),
  low_id uuid not null references account on delete cascade,
  high_id uuid not null references account on delete cascade,
  matched_at timestamptz not null,
  unique (low_id, high_id),
  check (low_id < high_id)
);
create index match_low on match (low_id, matched_at desc, id);
create index match_high on match (high_id, matched_at desc, id);

-- How many likes somebody sent on a day, UTC, and when they took a decision back last.
create table like_count (
  account_id uuid primary key references account on delete cascade,
  sent_on date not null default '-infinity',
  sent int not null default 0 check (sent >= 0),
  undone_at timestamptz not null default '-infinity'
) with (fillfactor = 70);

-- One lock for two people, whichever of them comes first; answers how many of them are here, and they stay until it is let go.
create function lock_pair(one uuid, other uuid) returns int language plpgsql as $$
declare
  here int;
begin
  perform pg_advisory_xact_lock(hashtextextended(least(one, other)::text || greatest(one, other)::text, 7));
  perform from account where id in (one, other) order by id for key share;
  get diagnostics here = row_count;
  return here;
end $$;

-- Who ends a match hides the two from each other like a block does, silently, but for the list of those one blocked.
alter table block add column is_listed boolean not null default true;
alter table block add column by_unmatch boolean not null default false;

-- A block ends a match as its end from one side does, under the lock that a like holds: never is there a match beside a block.
-- A like without an answer stays, so that nobody learns from their own likes who blocked them.
create function block_ends_match() returns trigger language plpgsql as $$
begin
  perform lock_pair(new.blocker_id, new.blocked_id);
  delete from match
    where low_id = least(new.blocker_id, new.blocked_id) and high_id = greatest(new.blocker_id, new.blocked_id);
  if found then
    update decision
      set kind = 'unmatch', decided_at = new.created_at, note = null, liked_picture = null, liked_prompt = null
      where (viewer_id = new.blocker_id and target_id = new.blocked_id)
        or (viewer_id = new.blocked_id and target_id = new.blocker_id);
  end if;
  return new;
end $$;
create trigger block_before before insert on block for each row execute function block_ends_match();

-- Incognito: seen only by those whom one liked, as long as premium lasts.
alter table profile add column incognito boolean not null default false;
alter table directory add column is_incognito boolean not null default false;
