-- no transaction
-- The indexes of places, built again with what `folded` returns now.
drop index concurrently if exists place_by_key;
create index concurrently place_by_key on place (place_key(name) text_pattern_ops);
drop index concurrently if exists place_alias_by_key;
create index concurrently place_alias_by_key on place_alias (place_key(alias) text_pattern_ops);
drop index concurrently if exists place_prefix;
drop index concurrently if exists place_alias_prefix;
