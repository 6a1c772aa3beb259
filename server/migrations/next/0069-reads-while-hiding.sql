-- Whether a message was read while one of the two hid when they were last active: its sender never sees that time. Null: it was not.
alter table message add column is_read_hidden boolean;
