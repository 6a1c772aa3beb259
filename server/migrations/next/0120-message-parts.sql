-- What a message has besides its text: its media, as they are shown, and the message that it answers.
alter table message add column media jsonb;
alter table message add column reply_to int;
alter table held_message add column media jsonb;
alter table held_message add column reply_to int;
