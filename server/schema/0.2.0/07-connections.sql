-- Likes, passes, matches and blocks.

-- One row for each person a member has decided on, so that no one is shown again.
create table decision (
  viewer_id uuid not null references account on delete cascade,
  target_id uuid not null references account on delete cascade,
  kind text not null,
  decided_at timestamptz not null,
  note text check (char_length(note) between 1 and 140),
  liked_picture uuid,
  liked_prompt text,
  -- A like that its target has answered neither with a like nor with a pass.
  is_pending boolean not null default false,
  -- Which hold the like or message was sent under; null for a dropped one that can never be delivered, whatever is decided.
  hold_id uuid,
  -- When a held like arrived; null for all others, which arrive when they are sent.
  delivered_at timestamptz,
  -- Whether the note of a delivered like is kept from the other person: it waits for a hold, or they want none.
  is_note_held boolean not null default false,
  primary key (viewer_id, target_id),
  constraint decision_on_another check (viewer_id <> target_id),
  constraint decision_kind_check
  check (kind in ('like', 'pass', 'unmatch', 'held', 'dropped')),
  constraint decision_check check (
  (kind in ('like', 'held', 'dropped') or (note is null and liked_picture is null and liked_prompt is null))
  and (kind = 'like' or not is_pending))
);
create index decision_target on decision (target_id);
create index decision_likers on decision (target_id) where kind = 'like';
create index decision_newest on decision (viewer_id, decided_at desc, target_id);
create index decision_sent on decision (viewer_id, decided_at desc, target_id) where kind = 'like';
create index decision_liked on decision (decided_at) include (viewer_id) where kind = 'like';
create index decision_held on decision (viewer_id, decided_at) where kind in ('held', 'dropped');
create index decision_arrived on decision (target_id, coalesce(delivered_at, decided_at) desc, viewer_id) where is_pending;
create index decision_of_hold on decision (hold_id) where hold_id is not null;

-- Two people who like each other: one row per pair, the smaller id first.
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
create index match_matched on match (matched_at);

-- How many likes a member sent on a day, UTC, and when they last undid a decision.
create table like_count (
  account_id uuid primary key references account on delete cascade,
  sent_on date not null default '-infinity',
  sent int not null default 0 check (sent >= 0),
  undone_at timestamptz not null default '-infinity'
) with (fillfactor = 70);

-- One row per direction. Either hides the two from each other.
create table block (
  blocker_id uuid not null references account on delete cascade,
  -- Any id, of an account or not: refusing unknown ones would reveal who is a member.
  blocked_id uuid not null,
  created_at timestamptz not null,
  -- Whether the blocker sees it in their list. Ending a match also hides the two from each other, silently and unlisted.
  is_listed boolean not null default true,
  by_unmatch boolean not null default false,
  -- The known address that demands a block, and whether it is the only reason for it.
  by_address bytea,
  is_by_address_only boolean not null default false,
  primary key (blocker_id, blocked_id),
  constraint block_of_another check (blocker_id <> blocked_id)
);
create index block_blocked on block (blocked_id, blocker_id);
create index block_newest on block (blocker_id, created_at desc);

-- Decisions that discovery has yet to learn from.
create table training_event (
  id bigint generated always as identity primary key,
  viewer_id uuid not null,
  target_id uuid not null,
  liked boolean not null,
  decided_at timestamptz not null
);
create index training_event_pair on training_event (viewer_id, target_id);

-- Pairs whose decision was learned from and then changed or undone: no one teaches twice about the same person, however often they
-- decide again.
create table trained_pair (
  viewer_id uuid not null references account on delete cascade,
  target_id uuid not null references account on delete cascade,
  primary key (viewer_id, target_id)
);
create index trained_pair_target on trained_pair (target_id);
