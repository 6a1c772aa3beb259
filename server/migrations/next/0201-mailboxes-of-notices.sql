-- The mailbox to which an address leads, as canonicalAddress() in the server determines it: without a part after a plus sign and, at Google,
-- without dots. Generated columns use it, so it is not part of sql/.
create function mailbox_of(email text) returns text language sql immutable strict parallel safe
  return case when lower(email) ~ '@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(lower(email), '(?<=.)[+].*$|@[^@]*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(lower(email), '(?<=.)[+].*(?=@[^@]*$)', '') end;

alter table outsider_notice drop column mailbox;
alter table outsider_notice add column mailbox text generated always as (mailbox_of(email)) stored;
create index outsider_notice_mailbox on outsider_notice (mailbox, checked_at) where checked_at is not null;
