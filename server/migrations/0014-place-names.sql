-- Places are found however somebody spells them: without regard to case and accents, and by the name the place gives itself.
create function folded(name text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'))
$$;
create table place_alias (
  alias text not null,
  name text not null,
  country text not null,
  primary key (alias, name, country)
);
create index place_alias_prefix on place_alias (folded(alias) text_pattern_ops);
drop index place_prefix;
create index place_prefix on place (folded(name) text_pattern_ops);
