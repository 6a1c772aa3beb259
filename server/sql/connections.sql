-- One lock for two people, whichever of them comes first; answers how many of them are here, and they stay until it is let go.
create function logic.lock_pair(one uuid, other uuid) returns int language plpgsql as $$
declare
  here int;
begin
  perform pg_advisory_xact_lock(hashtextextended(least(one, other)::text || greatest(one, other)::text, 7));
  perform from account where id in (one, other) order by id for key share;
  get diagnostics here = row_count;
  return here;
end $$;

-- A block ends a match as its end from one side does, under the lock that a like holds: never is there a match beside a block.
-- A like without an answer stays, so that nobody learns from their own likes who blocked them.
create function logic.block_ends_match() returns trigger language plpgsql as $$
begin
  perform logic.lock_pair(new.blocker_id, new.blocked_id);
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
create trigger block_before before insert on block for each row execute function logic.block_ends_match();

create function logic.block_after_account_delete() returns trigger language plpgsql as $$
begin
  delete from block where blocked_id in (select id from gone);
  return null;
end $$;
create trigger block_account_delete after delete on account
  referencing old table as gone for each statement execute function logic.block_after_account_delete();
