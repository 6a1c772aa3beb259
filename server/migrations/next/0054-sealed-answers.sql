-- no transaction
-- Answers to repeated refreshes that are still kept: a few rows of a large table.
drop index concurrently if exists refresh_token_sealed;
create index concurrently refresh_token_sealed on refresh_token (used_at) where sealed_answer is not null;
