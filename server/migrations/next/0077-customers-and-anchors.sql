-- The customers that an account had before, which its provider no longer knew when they were needed.
alter table payment_customer add column former_ids text[] not null default '{}';

-- The day of the month on which a subscription renews, or on the last day of shorter months; null until it is read again.
alter table subscription add column anchor_day smallint;
