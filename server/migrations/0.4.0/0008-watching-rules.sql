-- Rules that only watch: they note who they would hit, and do nothing to them.
alter table automatic_rule add column is_watching boolean not null default false;
create table rule_sighting (
  rule_id uuid not null references automatic_rule on delete cascade,
  account_id uuid not null references account on delete cascade,
  seen_at timestamptz not null,
  primary key (rule_id, account_id)
);
create index rule_sighting_account on rule_sighting (account_id);
create index rule_sighting_time on rule_sighting (seen_at);

-- How many first texts someone sent on a day.
alter table rule_fact add column first_texts int not null default 0;

-- Two rules watch from the start, unless staff have changed, switched or removed the first one.
update automatic_rule set is_watching = true
  where name = 'Warned texts from new accounts' and version = 1 and switched_at is null and retired_at is null;
insert into automatic_rule (name, conditions, actions, expires_on, changed_at, changed_by_name, is_watching)
select 'Many first messages',
  '[{"fact": "accountAgeHours", "value": 168}, {"fact": "firstTexts", "value": 40}]',
  jsonb_build_object('problem_type', 'Inappropriate Content', 'priority', 'medium', 'hold', false, 'tagId',
    (select id from user_tag where name = 'Suspected scam' and retired_at is null limit 1)),
  current_date + 180, now(), 'Heartwood', true
where not exists (select from automatic_rule where retired_at is null
  and lower(name collate "und-x-icu") = 'many first messages');
