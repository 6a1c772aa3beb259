-- The rules about pairs that the database itself enforces: whatever writes the rows, a match and a block never exist
-- together.

-- Locks a pair of people until the transaction ends, in either order of the arguments, and returns how many of the two
-- accounts exist; those can't be deleted meanwhile. Everything that changes the relationship of two people holds this
-- lock.
create function logic.lock_pair(one uuid, other uuid) returns int language plpgsql as $$
declare
  existing int;
begin
  perform pg_advisory_xact_lock(hashtextextended(least(one, other)::text || greatest(one, other)::text, 7));
  perform from account where id in (one, other) order by id for key share;
  get diagnostics existing = row_count;
  return existing;
end $$;

create function logic.refuse_block_beside_match() returns trigger language plpgsql as $$
begin
  perform logic.lock_pair(new.blocker_id, new.blocked_id);
  if exists (select from match
    where low_id = least(new.blocker_id, new.blocked_id) and high_id = greatest(new.blocker_id, new.blocked_id))
  then
    raise exception 'a block and a match cannot exist together' using errcode = 'check_violation', constraint = 'no_match_beside_block';
  end if;
  return null;
end $$;
create trigger block_guard after insert on block for each row execute function logic.refuse_block_beside_match();

-- Also notifies every process of the match and its end, at the commit.
create function logic.match_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform logic.lock_pair(new.low_id, new.high_id);
    if exists (select from block where (blocker_id, blocked_id) in ((new.low_id, new.high_id), (new.high_id, new.low_id))) then
      raise exception 'a match and a block cannot exist together' using errcode = 'check_violation', constraint = 'no_match_beside_block';
    end if;
    perform logic.notify_match('match', new.id, new.low_id, new.high_id);
  elsif (select count(*) from directory where account_id in (old.low_id, old.high_id) and is_shown) = 2 then
    -- A match that was hidden already ended for both sides when one of them was hidden. A second event would
    -- distinguish that from a block.
    perform logic.notify_match('match-ended', old.id, old.low_id, old.high_id);
  end if;
  return null;
end $$;
create trigger match_changed after insert or delete on match for each row execute function logic.match_changed();
