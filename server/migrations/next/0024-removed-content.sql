-- Decisions can remove a picture, a text of the profile, the answer to a prompt or a message.

-- Of which copy in the evidence it is a part; the copy itself says what it was, and is what an overturned appeal puts back.
alter table sanction add column content jsonb;
alter table sanction drop constraint sanction_kind_check;
alter table sanction add constraint sanction_kind_check check (kind in ('warn', 'remove_content', 'limit_messaging', 'hide_profile',
  'suspend', 'ban'));
alter table sanction add constraint sanction_content check ((kind = 'remove_content') = (content is not null));

-- When a decision removed it: its author still sees it, with the reasons.
alter table message add column removed_at timestamptz;
