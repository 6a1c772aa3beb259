-- Cities by the beginning of their name, as somebody types it.
create index place_prefix on place (lower(name) text_pattern_ops);
