-- Notices from people without an account.

-- The mailbox to which an address leads, as canonicalAddress() in the server determines it: without a part after a plus sign and, at Google,
-- without dots. An index uses it, so it is not part of sql/.
create function mailbox_of(email text) returns text language sql immutable strict parallel safe
  return case when lower(email) ~ '@(gmail|googlemail)[.]com$'
    then replace(regexp_replace(lower(email), '(?<=.)[+].*$|@[^@]*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(lower(email), '(?<=.)[+].*(?=@[^@]*$)', '') end;

-- What people who are not members told us. Staff see the address of the author masked; no member ever sees author or notice.
create table outsider_notice (
  id uuid primary key default gen_random_uuid(),
  type text not null constraint outsider_notice_type_check check (type in ('child_abuse', 'minor', 'threat', 'intimate_pictures',
    'impersonation', 'scam', 'harassment', 'other')),
  -- The address of a profile or picture and the name or description of the person, until there is a report about them.
  address text,
  -- Whether it was an address of ours, so that the author learns what we decided.
  names_address boolean not null,
  person text,
  place text,
  body text not null,
  name text,
  email text,
  -- Of what it names and says, so that the same sent again is only counted.
  digest bytea not null,
  at timestamptz not null,
  times int not null default 1,
  -- By which it is listed while it waits: urgent ones as if they had come a century earlier.
  queue_at timestamptz not null,
  -- When it was looked up whom it is about.
  checked_at timestamptz,
  report_id uuid references report on delete cascade,
  receipt_at timestamptz,
  -- When someone opened the link of the receipt: only then are more mails sent.
  confirmed_at timestamptz,
  told_at timestamptz,
  -- When the name and the address of the author were erased.
  forgotten_at timestamptz,
  -- Without a report: closed because there was nothing to act on, and the appeal against that.
  closed_at timestamptz,
  closed_by uuid,
  closed_by_name text,
  plea text,
  plea_at timestamptz,
  plea_answer text,
  plea_answered_at timestamptz,
  -- With a report: the appeal against the decision not to act.
  appeal_id uuid references appeal on delete set null,
  -- The list in which staff find it.
  list text not null generated always as (case
    when report_id is not null or closed_at is not null and (plea is null or plea_answer is not null) then 'done'
    when email is null or confirmed_at is not null then 'waiting' else 'unconfirmed' end) stored,
  language text not null default 'en',
  filing_due_since timestamptz,
  -- Since when the author of a notice is owed the mail that there is an answer; null once it was looked at.
  answer_due_since timestamptz,
  constraint outsider_notice_closed check ((closed_at is null) = (closed_by_name is null)),
  constraint outsider_notice_plea check ((plea is null) = (plea_at is null)
    and (plea_answer is null) = (plea_answered_at is null) and (plea_answer is null or plea is not null))
);
create unique index outsider_notice_same on outsider_notice (digest, coalesce(email, '')) where forgotten_at is null;
create index outsider_notice_list on outsider_notice (list, queue_at, id) where list <> 'done';
create index outsider_notice_done on outsider_notice (coalesce(closed_at, at), id) where list = 'done';
create index outsider_notice_digest on outsider_notice (digest, list, queue_at, id);
create index outsider_notice_email on outsider_notice (email, at) where email is not null;
-- Of the daily job that erases and deletes.
create index outsider_notice_at on outsider_notice (at) where report_id is null or coalesce(email, name) is not null;
create index outsider_notice_report on outsider_notice (report_id, at) where report_id is not null;
create index outsider_notice_confirmed on outsider_notice (report_id) where confirmed_at is not null;
create index outsider_notice_appeal on outsider_notice (appeal_id) where appeal_id is not null;
create index outsider_notice_filing on outsider_notice (filing_due_since) where filing_due_since is not null;
create index outsider_notice_answer on outsider_notice (answer_due_since) where answer_due_since is not null;
create index outsider_notice_mailbox_of on outsider_notice (mailbox_of(email), checked_at) where checked_at is not null;
