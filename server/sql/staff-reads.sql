-- Records that staff opened an account. Its owner sees at once what they asked for, unless there is a legal hold; a job
-- decides on everything else.

-- What a member asked for is determined from the event alone: a colleague helped them, or read a request of theirs that
-- reports no one. So the time at which it appears reveals nothing about reports. Everything else may be about a report,
-- whatever it looks like.
create function logic.keep_staff_read() returns trigger language plpgsql as $$
begin
  insert into staff_read (account_id, kind, day, shown_on, shown_as)
  select a.id, opened.kind, today, case when is_shown then today end, case when is_shown then opened.kind end
  from (
    select new.target_id as account_id, case when new.action like 'help.%' then 'support' else 'routine' end as kind
    where new.target_type = 'user'
    union all
    select person_id, 'safety' from moderation_case where new.target_type = 'case' and id = new.target_id
    union all
    select coalesce(reported_id, reporter_id), case when reported_id is null then 'support' else 'safety' end
    from report where new.target_type = 'report' and id = new.target_id
      and (reported_id is not null or is_listed and reported_alias is null and named_id is null)
  ) opened join account a on a.id = opened.account_id cross join lateral (
    select (new.at at time zone 'UTC')::date as today, opened.kind = 'support'
      and not exists (select from legal_hold h where h.account_id = a.id and h.released_at is null) as is_shown
  ) facts
  where a.staff_role is null and a.id is distinct from new.actor_id
  -- Accounts that are being deleted are left out; referring to them would fail the event.
  for key share of a
  on conflict do nothing;
  return null;
end $$;
create trigger audit_event_read after insert on audit_event for each row
  when (new.action in ('user.read', 'user.fileRead', 'user.viewedAsMember', 'user.visibilityExplained', 'pii.revealed',
    'subscription.read', 'matching.explained', 'case.read', 'report.read') or new.action like 'help.%')
  execute function logic.keep_staff_read();
