-- Since when a member has paused their profile: only people they like, and so their matches, see it.
alter table profile add column paused_at timestamptz;
