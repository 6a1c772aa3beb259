-- Names are compared without case in the same way on every database, whatever its own collation.
drop index place_name;
create index place_name on place (lower(name collate "und-x-icu"), lower(country collate "und-x-icu"));
drop index reply_template_name;
create unique index reply_template_name on reply_template (lower(name collate "und-x-icu")) where replaced_at is null;
drop index case_view_name;
create unique index case_view_name on case_view (owner_id, lower(name collate "und-x-icu")) nulls not distinct;

-- As before, with the letters and blanks of all alphabets also where the collation of the database only knows those of ASCII.
create or replace function place_key(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(
    trim(regexp_replace(regexp_replace(folded(name) collate "und-x-icu", '[''`´ʻʼʽˈ]', '', 'g'), '[-.,;:/()·־\s]+', ' ', 'g')),
    '\mst(e?) (?=\S)', 'saint\1 ', 'g'), '\msankt (?=\S)', 'saint ', 'g');
reindex index place_prefix;
reindex index place_alias_prefix;
