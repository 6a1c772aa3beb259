-- Warnings to those who answered a fraudster.

-- Members who answered someone who was banned for fraud: they are warned some hours later unless the ban is taken back by then, and
-- corrected if it is taken back after that.
create table fraud_warning (
  id uuid primary key default gen_random_uuid(),
  sanction_id uuid not null references sanction on delete cascade,
  account_id uuid not null references account on delete cascade,
  -- The banned person's, as this member knew it. Null if unknown, and once the account of the person is erased.
  first_name text,
  -- When the warning, or after it the correction, is sent; null once it is.
  due_at timestamptz,
  warned_at timestamptz,
  corrected_at timestamptz
);
create unique index fraud_warning_once on fraud_warning (sanction_id, account_id);
create index fraud_warning_account on fraud_warning (account_id);
create index fraud_warning_due on fraud_warning (due_at, id) where due_at is not null;
create index fraud_warning_warned on fraud_warning (warned_at);
