-- The entry in calendars that a date moves or removes, the same for all that are suggested in place of each other; and when a date was agreed
-- on, because only those are in calendars.
alter table date_plan add column calendar_id uuid;
alter table date_plan add column agreed_at timestamptz;
