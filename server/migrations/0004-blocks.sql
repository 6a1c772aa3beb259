-- Who hides whom: one row a direction, each of which hides the two from each other.
create table block (
  blocker_id uuid not null references account on delete cascade,
  -- Whoever was named, there or not: a refusal would tell.
  blocked_id uuid not null,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  constraint block_of_another check (blocker_id <> blocked_id)
);
create index block_blocked on block (blocked_id, blocker_id);
create index block_newest on block (blocker_id, created_at desc);

create function block_after_account_delete() returns trigger language plpgsql as $$
begin
  delete from block where blocked_id in (select id from gone);
  return null;
end $$;
create trigger block_account_delete after delete on account
  referencing old table as gone for each statement execute function block_after_account_delete();
