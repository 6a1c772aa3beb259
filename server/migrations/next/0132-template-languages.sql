-- The language in which members read a template. Its name is unique in it.
alter table reply_template add column language text not null default 'en';
drop index reply_template_name;
create unique index reply_template_name on reply_template (lower(name collate "und-x-icu"), language) where replaced_at is null;
