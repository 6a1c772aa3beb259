-- How often someone was kept from something within an hour: the audit trail notes the first attempt, the tenth, the hundredth.
create table denied_access (
  actor_id uuid not null references account on delete cascade,
  target_id uuid not null,
  since timestamptz not null,
  attempts int not null,
  primary key (actor_id, target_id)
);

-- Accounts from before a ban are compared with it, too: the case says how many were found.
alter table case_event drop constraint case_event_kind_check;
alter table case_event add constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended', 'appeal_submitted', 'appeal_reviewed', 'appeal_decided', 'appeal_withdrawn', 'linked',
  'searched')) not valid;
