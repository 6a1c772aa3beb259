-- Replies that staff start from. A change adds a version; what was sent keeps its own text.
create table reply_template (
  id uuid primary key default gen_random_uuid(),
  -- The same for all versions of a template.
  template_id uuid not null default gen_random_uuid(),
  version int not null,
  name text not null,
  body text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- Also when it was retired.
  replaced_at timestamptz,
  unique (template_id, version)
);
create unique index reply_template_current on reply_template (template_id) where replaced_at is null;
create unique index reply_template_name on reply_template (lower(name)) where replaced_at is null;
insert into reply_template (version, name, body, created_by) values
  (1, 'We are looking into it', 'Hi {firstName}, thank you for your report of {date}. We are looking into it and will write to you again when we have decided.', 'Heartwood'),
  (1, 'Ask for details', 'Hi {firstName}, thank you for your report of {date}. To look into it, we need a little more: what happened, where in the app, and when? You can answer right here.', 'Heartwood'),
  (1, 'Explain a rule', 'Hi {firstName}, thank you for writing to us on {date}. This is how we handle it: our rule "{rule}" says what is and is not allowed. If you see it broken again, please report it.', 'Heartwood'),
  (1, 'Stay safe', 'Hi {firstName}, thank you for telling us. You can block this person at any time: they are not notified, and you no longer see each other. If you feel threatened, please also contact the police.', 'Heartwood'),
  (1, 'Technical problem fixed', 'Hi {firstName}, the problem that you reported on {date} ({type}) is fixed. Please reload the app, and tell us if you still see it.', 'Heartwood');
