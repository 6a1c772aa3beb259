-- One way to compare what people type, the same on every database: without case, accents and strokes, in one form of each letter. The
-- collation is named, because a database may have any. Indexes use it, so it is not part of sql/.
create extension if not exists unaccent;
drop index place_prefix;
drop index place_alias_prefix;
create or replace function folded(name text) returns text language sql immutable strict parallel safe
  return normalize(regexp_replace(
    normalize(translate(lower(unaccent('unaccent'::regdictionary, normalize(name, NFKC)) collate "und-x-icu"), 'ς', 'σ'), NFD),
    '[\u0300-\u036f]', '', 'g'), NFC);

-- The name of a place in one spelling: folded, without apostrophes, with blanks for other signs, and Saint for St. and Sankt.
create function place_key(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(
    trim(regexp_replace(regexp_replace(folded(name), '[''`´ʻʼʽˈ]', '', 'g'), '[-.,;:/()·־\s]+', ' ', 'g')),
    '\mst(e?) (?=\S)', 'saint\1 ', 'g'), '\msankt (?=\S)', 'saint ', 'g');
create index place_prefix on place (place_key(name) text_pattern_ops);
create index place_alias_prefix on place_alias (place_key(alias) text_pattern_ops);
