-- no transaction
drop index concurrently if exists decision_arrived;
create index concurrently decision_arrived on decision (target_id, coalesce(delivered_at, decided_at) desc, viewer_id) where is_pending;
-- Its order is no longer asked for.
drop index concurrently if exists decision_received;
drop index concurrently if exists message_held_before;
create index concurrently message_held_before on message (own_sent_at) include (sender_id) where own_sent_at is not null;
drop index concurrently if exists conversation_low_own;
create index concurrently conversation_low_own on conversation (low_id) where low_last_at is not null;
drop index concurrently if exists conversation_high_own;
create index concurrently conversation_high_own on conversation (high_id) where high_last_at is not null;
