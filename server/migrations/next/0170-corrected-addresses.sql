-- The address that staff corrected. Its mailbox can put it back with the cancel link of the same row.
alter table verification add column corrected_from text;
