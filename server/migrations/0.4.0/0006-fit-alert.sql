-- Notifications of new people who fit what a member looks for, which are off until chosen.
alter table notification
  -- How many people it is about.
  add column people int,
  drop constraint notification_kind_check,
  add constraint notification_kind_check
    check (kind in ('message', 'match', 'like', 'report', 'export', 'verification', 'date', 'warning', 'fit')) not valid;
alter table notification_choice
  drop constraint notification_choice_kind_check,
  add constraint notification_choice_kind_check
    check (kind in ('message', 'match', 'like', 'report', 'date', 'fit')) not valid;

-- A member who is to be told of new people, and when the next look is due.
create table fit_alert (
  account_id uuid primary key references account on delete cascade,
  next_at timestamptz not null,
  looked_at timestamptz not null,
  -- What the last look was for: after a change, everyone who fits would be new.
  looked_for text not null default '',
  -- Digests of the newest people who fitted before. They lead back to no one, so that nothing of people who leave stays.
  known int[] not null default '{}'
);
create index fit_alert_next on fit_alert (next_at, account_id);
