-- no transaction
-- What tables of 0.2.0 accept since. New rows are checked at once, those that exist are read without blocking anyone.

alter table verification
  drop constraint if exists verification_asked_by_check,
  add constraint verification_asked_by_check check (asked_by in ('join', 'owner', 'address')) not valid;

alter table ledger_entry
  drop constraint if exists ledger_entry_act_check,
  add constraint ledger_entry_act_check check (act in ('left', 'returned', 'deactivated', 'activated',
  'sanctioned', 'revoked', 'messageDeleted', 'photoOpened', 'holdSet', 'holdReleased')) not valid;

alter table decision
  drop constraint if exists decision_kind_check,
  add constraint decision_kind_check
  check (kind in ('like', 'pass', 'unmatch', 'held', 'dropped')) not valid,
  drop constraint if exists decision_check,
  add constraint decision_check check (
  (kind in ('like', 'held', 'dropped') or (note is null and liked_picture is null and liked_prompt is null))
  and (kind = 'like' or not is_pending)) not valid;

alter table notification
  drop constraint if exists notification_kind_check,
  add constraint notification_kind_check
  check (kind in ('message', 'match', 'like', 'report', 'export', 'verification', 'date', 'warning')) not valid;

alter table notification_choice
  drop constraint if exists notification_choice_kind_check,
  add constraint notification_choice_kind_check
  check (kind in ('message', 'match', 'like', 'report', 'date')) not valid;

alter table case_event
  drop constraint if exists case_event_kind_check,
  add constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended', 'appeal_submitted', 'appeal_reviewed', 'appeal_decided', 'appeal_withdrawn', 'linked',
  'searched', 'held', 'hold_ended', 'rule_hit', 'rule_undone', 'emergency', 'restriction_ended', 'referred', 'legal_hold_set',
  'legal_hold_released', 'age_asked', 'age_answered')) not valid;

alter table report
  drop constraint if exists report_source_check,
  add constraint report_source_check
  check (source in ('notice', 'own_initiative', 'staff_message', 'automatic', 'outsider')) not valid,
  drop constraint if exists report_opened_check,
  add constraint report_opened_check check ((source = 'notice') = (opened_at is null)
  and (source in ('notice', 'automatic', 'outsider')) = (opened_by is null)
  and (source not in ('own_initiative', 'automatic', 'outsider') or not is_listed)) not valid;

alter table report_evidence
  drop constraint if exists report_evidence_kind_check,
  add constraint report_evidence_kind_check
  check (kind in ('profile', 'picture', 'message', 'note', 'date')) not valid;

alter table case_decision
  drop constraint if exists case_decision_kind_check,
  add constraint case_decision_kind_check check (kind in ('full', 'quick', 'interim')) not valid,
  drop constraint if exists case_decision_complete,
  add constraint case_decision_complete check (kind = 'quick'
  or (kind = 'interim' and outcome is null and rule_id is not null and char_length(facts) >= 40)
  or (kind = 'full' and outcome is not null
    and (outcome <> 'actioned' or (rule_id is not null and char_length(facts) >= 40)))) not valid;

alter table sanction
  drop constraint if exists sanction_kind_check,
  add constraint sanction_kind_check check (kind in ('warn', 'remove_content', 'limit_messaging', 'hide_profile',
  'suspend', 'ban')) not valid,
  drop constraint if exists sanction_content,
  add constraint sanction_content check ((kind = 'remove_content') = (content is not null)) not valid;

alter table appeal
  drop constraint if exists appeal_not_opener,
  add constraint appeal_not_opener check (reviewer_id <> all (openers)) not valid;

-- The names of not-null constraints, which newer versions of PostgreSQL show, were taken when the table was made.
do $$ declare old text; begin for old in
  select conname from pg_constraint where conrelid = 'audit_event'::regclass and contype = 'n' and conname like '%null1'
  loop execute format('alter table audit_event rename constraint %I to %I', old, left(old, -1)); end loop; end $$;

alter table verification validate constraint verification_asked_by_check;
alter table ledger_entry validate constraint ledger_entry_act_check;
alter table decision validate constraint decision_kind_check;
alter table decision validate constraint decision_check;
alter table notification validate constraint notification_kind_check;
alter table notification_choice validate constraint notification_choice_kind_check;
alter table case_event validate constraint case_event_kind_check;
alter table report validate constraint report_source_check;
alter table report validate constraint report_opened_check;
alter table report_evidence validate constraint report_evidence_kind_check;
alter table case_decision validate constraint case_decision_kind_check;
alter table case_decision validate constraint case_decision_complete;
alter table sanction validate constraint sanction_kind_check;
alter table sanction validate constraint sanction_content;
alter table appeal validate constraint appeal_not_opener;
