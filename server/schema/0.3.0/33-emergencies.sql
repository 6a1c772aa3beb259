-- Danger to life, and what authorities are told.

-- Cases of which nothing may be deleted until two people release them, nor anything about the account of their person.
create table legal_hold (
  id uuid primary key default gen_random_uuid(),
  -- Null if the account is gone: then the case with its reports is held.
  account_id uuid references account on delete set null,
  case_id uuid not null references moderation_case on delete cascade,
  reason text not null,
  set_at timestamptz not null,
  set_by_name text not null,
  -- When seniors are asked whether it is still needed.
  review_on date not null,
  released_at timestamptz,
  -- Both people: who asked for the release, and who approved it.
  released_by_names text[],
  constraint legal_hold_released check ((released_at is null) = (released_by_names is null))
);
create unique index legal_hold_open on legal_hold (case_id) where released_at is null;
create index legal_hold_account on legal_hold (account_id);
create index legal_hold_case on legal_hold (case_id, set_at desc);

-- What a hold keeps although its rows are deleted or changed, such as messages with someone whose own account is deleted, without that
-- person's id or name.
create table legal_hold_copy (
  hold_id uuid not null references legal_hold on delete cascade,
  kind text not null check (kind in ('conversation', 'note', 'heldMessage', 'auditEvent')),
  copied_at timestamptz not null,
  data jsonb not null
);
create index legal_hold_copy_hold on legal_hold_copy (hold_id, copied_at);

-- Dangers that are paged at once, each once for a case until it starts again.
create table emergency (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references moderation_case on delete cascade,
  kind text not null check (kind in ('threat_to_life', 'minor', 'sexual_violence', 'extortion')),
  marked_at timestamptz not null,
  -- Who of the staff said so; null where a report did.
  marked_by_name text,
  mailed_at timestamptz,
  paged_at timestamptz,
  -- An emergency that is paged together with others, because reports noted many within an hour.
  is_grouped boolean not null default false,
  page_due_since timestamptz
);
create index emergency_case on emergency (case_id, marked_at desc);
create index emergency_reported on emergency (marked_at) where marked_by_name is null;
create index emergency_grouped on emergency (marked_at) where is_grouped;
create index emergency_paging on emergency (page_due_since) where page_due_since is not null;

-- What was handed to which authority, and on what legal basis. Kept for two years.
create table referral (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references moderation_case on delete cascade,
  authority text not null,
  handed_over text not null,
  legal_basis text not null,
  referred_on date not null,
  made_at timestamptz not null,
  made_by_name text not null
);
create index referral_case on referral (case_id, made_at desc);
create index referral_made on referral (made_at);

-- Help lines of the safety centre; XX is everywhere.
create table help_line (
  id uuid primary key default gen_random_uuid(),
  country text not null check (country ~ '^[A-Z]{2}$'),
  name text not null,
  phone text,
  url text,
  note text not null,
  -- Shown before the other lines of its country.
  is_emergency boolean not null default false,
  constraint help_line_reachable check (phone is not null or url is not null)
);
create index help_line_country on help_line (country, name);

insert into help_line (country, name, phone, url, note) values
  ('XX', 'Find A Helpline', null, 'https://findahelpline.com', 'A directory of free, confidential help lines in many countries.'),
  ('US', 'Emergency services', '911', null, 'Police, fire and ambulance.'),
  ('US', 'National Sexual Assault Hotline (RAINN)', '1-800-656-4673', 'https://rainn.org', 'Confidential support after sexual violence, at any hour.'),
  ('US', 'National Domestic Violence Hotline', '1-800-799-7233', 'https://www.thehotline.org', 'Confidential support at any hour.'),
  ('US', '988 Suicide & Crisis Lifeline', '988', 'https://988lifeline.org', 'Call or text at any hour.'),
  ('CA', 'Emergency services', '911', null, 'Police, fire and ambulance.'),
  ('CA', 'Suicide Crisis Helpline', '988', 'https://988.ca', 'Call or text at any hour.'),
  ('GB', 'Emergency services', '999', null, 'Police, fire and ambulance; 112 works as well.'),
  ('GB', 'Samaritans', '116 123', 'https://www.samaritans.org', 'Someone to talk to, at any hour.'),
  ('GB', 'National Domestic Abuse Helpline (Refuge)', '0808 2000 247', 'https://www.nationaldahelpline.org.uk', 'Free and confidential, at any hour.'),
  ('GB', 'Revenge Porn Helpline', null, 'https://revengepornhelpline.org.uk', 'Help for adults whose intimate pictures are shared or used to threaten them.'),
  ('IE', 'Emergency services', '112', null, 'Police, fire and ambulance; 999 works as well.'),
  ('IE', 'Samaritans', '116 123', 'https://www.samaritans.org', 'Someone to talk to, at any hour.'),
  ('DE', 'Emergency services', '112', null, 'Fire and ambulance. Police: 110.'),
  ('DE', 'Hilfetelefon „Gewalt gegen Frauen“', '116 016', 'https://www.hilfetelefon.de', 'Free and confidential, at any hour, in many languages.'),
  ('DE', 'WEISSER RING Opfer-Telefon', '116 006', 'https://weisser-ring.de', 'Support for victims of crime.'),
  ('DE', 'TelefonSeelsorge', '0800 111 0 111', 'https://www.telefonseelsorge.de', 'Someone to talk to, at any hour.'),
  ('AT', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('AT', 'Frauenhelpline gegen Gewalt', '0800 222 555', 'https://www.frauenhelpline.at', 'Free and confidential, at any hour.'),
  ('CH', 'Emergency services', '112', null, 'Police: 117. Ambulance: 144.'),
  ('CH', 'Die Dargebotene Hand', '143', 'https://www.143.ch', 'Someone to talk to, at any hour.'),
  ('FR', 'Emergency services', '112', null, 'Police: 17. Ambulance: 15.'),
  ('FR', 'France Victimes', '116 006', 'https://www.france-victimes.fr', 'Support for victims of crime.'),
  ('FR', 'Violences Femmes Info', '3919', null, 'Free and anonymous, at any hour.'),
  ('ES', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('ES', 'Violencia de género', '016', null, 'Free, at any hour.'),
  ('IT', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('IT', 'Antiviolenza e stalking', '1522', 'https://www.1522.eu', 'Free, at any hour.'),
  ('NL', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('NL', 'Slachtofferhulp Nederland', null, 'https://www.slachtofferhulp.nl', 'Support for victims of crime.'),
  ('PL', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('SE', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('NO', 'Emergency services', '112', null, 'Police. Ambulance: 113.'),
  ('DK', 'Emergency services', '112', null, 'Police, fire and ambulance.'),
  ('AU', 'Emergency services', '000', null, 'Police, fire and ambulance.'),
  ('AU', '1800RESPECT', '1800 737 732', 'https://www.1800respect.org.au', 'Support after sexual, domestic and family violence, at any hour.'),
  ('AU', 'Lifeline', '13 11 14', 'https://www.lifeline.org.au', 'Someone to talk to, at any hour.'),
  ('NZ', 'Emergency services', '111', null, 'Police, fire and ambulance.'),
  ('IN', 'Emergency services', '112', null, 'Police, fire and ambulance.');
update help_line set is_emergency = true where name = 'Emergency services';
