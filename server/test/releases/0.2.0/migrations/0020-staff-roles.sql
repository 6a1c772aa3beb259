-- Eight roles of staff instead of two; the contract says what each may do.
alter table account drop constraint account_staff_role_check;
alter table account add constraint account_staff_role_check check (staff_role in ('analyst', 'support', 'moderator', 'senior', 'billing',
  'auditor', 'admin', 'owner'));
alter table report_reply drop constraint report_reply_author_role_check;
alter table report_reply add constraint report_reply_author_role_check check (author_role in ('analyst', 'support', 'moderator', 'senior',
  'billing', 'auditor', 'admin', 'owner', 'reporter'));
alter table report_event drop constraint report_event_actor_role_check;
alter table report_event add constraint report_event_actor_role_check check (actor_role in ('analyst', 'support', 'moderator', 'senior',
  'billing', 'auditor', 'admin', 'owner', 'reporter', 'system'));
alter table case_event drop constraint case_event_actor_role_check;
alter table case_event add constraint case_event_actor_role_check check (actor_role in ('analyst', 'support', 'moderator', 'senior',
  'billing', 'auditor', 'admin', 'owner', 'member', 'system'));

-- The oldest administrator owns the installation.
with oldest as (
  update account set staff_role = 'owner' where id = (
    select id from account where staff_role = 'admin' and is_active and leaving_since is null order by created_at, id limit 1)
  returning id
)
insert into audit_event (at, actor_id, actor_name, actor_role, action, target_type, target_id, reason, changes)
  select now(), null, 'migration', 'operator', 'role.changed', 'user', id, 'The oldest administrator owns the installation',
    '{"staffRole": {"from": "admin", "to": "owner"}}' from oldest;
