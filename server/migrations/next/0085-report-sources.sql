-- Staff open cases on their own initiative, and write to members first: both are rows among reports, because evidence, replies and
-- decisions belong to these. Only what members wrote is listed and counted.
alter table report
  add column source text not null default 'notice',
  -- Who of the staff opened it, and when: an answered message has the time of the answer in created_at.
  add column opened_by uuid,
  add column opened_by_name text,
  add column opened_at timestamptz,
  add column is_listed boolean not null default true;
alter table report add constraint report_source_check check (source in ('notice', 'own_initiative', 'staff_message')) not valid;
alter table report add constraint report_opened_check check ((source = 'notice') = (opened_at is null)
  and (source = 'notice') = (opened_by is null) and (source <> 'own_initiative' or not is_listed)) not valid;

-- Nor does someone review an appeal who opened the case themselves.
alter table appeal add column openers uuid[] not null default '{}';
alter table appeal add constraint appeal_not_opener check (reviewer_id <> all (openers)) not valid;
