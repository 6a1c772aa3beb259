-- Until when each side has set a conversation aside. The other side never learns of it.
alter table conversation add column low_snoozed_until timestamptz;
alter table conversation add column high_snoozed_until timestamptz;
