-- The mailbox to which an address leads, as canonicalAddress() in the server determines it: without a part after a plus sign and, at Google,
-- without dots. An index uses it, so it is not part of sql/.
create function mailbox_of(email text) returns text language sql immutable strict parallel safe
  return case when lower(email) ~ '@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(lower(email), '(?<=.)[+].*$|@[^@]*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(lower(email), '(?<=.)[+].*(?=@[^@]*$)', '') end;
