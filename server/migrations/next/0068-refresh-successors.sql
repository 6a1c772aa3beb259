-- Which refresh token replaced a used one; null for those that servers of the last release have used up.
alter table refresh_token add column successor_hash bytea;
