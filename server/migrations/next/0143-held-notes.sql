-- Whether the note of a delivered like is kept from the other person: it waits for a hold, or they want none.
alter table decision add column is_note_held boolean not null default false;
