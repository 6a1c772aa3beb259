-- When a held like arrived; null for all others, which arrive when they are sent.
alter table decision add column delivered_at timestamptz;
-- The place and time of a message that was held, as its sender sees it; null for all others. The `seq` and `sent_at` are those of its arrival.
alter table message add column own_seq int, add column own_sent_at timestamptz;
-- The `seq` of each side's messages with such a place, and when something last happened for that side while it differs.
alter table conversation
  add column low_moved int[],
  add column high_moved int[],
  add column low_last_at timestamptz,
  add column high_last_at timestamptz;
