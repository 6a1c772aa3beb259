-- no transaction
-- Matches of the last week, the oldest first: those that are still to be learned from.
drop index concurrently if exists conversation_unlearned;
create index concurrently conversation_unlearned on conversation (began_at, id) where not is_outcome_learned;
