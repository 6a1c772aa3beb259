-- no transaction
-- Finds the accounts of one mailbox at Google, whatever dots and tags their addresses have.
drop index concurrently if exists account_gmail;
create index concurrently account_gmail on account (replace(regexp_replace(email, '(?<=.)[+].*$|@.*$', ''), '.', ''))
  where email ~ '@(gmail|googlemail)[.]com$';
