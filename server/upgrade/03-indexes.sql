-- no transaction
-- Indexes of tables of 0.2.0, built while members read and write.

drop index concurrently if exists mail_waiting;
create index concurrently mail_waiting on mail (created_at) where status = 'waiting';

drop index concurrently if exists moderation_case_opened;
create index concurrently moderation_case_opened on moderation_case (opened_at, id) where stage <> 'decided';

drop index concurrently if exists conversation_unlearned;
create index concurrently conversation_unlearned on conversation (began_at, id) where not is_outcome_learned;

drop index concurrently if exists report_may_be_minor;
create index concurrently report_may_be_minor on report (id) where may_be_minor and deleted_at is null;

drop index concurrently if exists account_address_restore;
create index concurrently account_address_restore on account (address_restore_at) where address_restore_at is not null;

drop index concurrently if exists ledger_entry_position;
create index concurrently ledger_entry_position on ledger_entry (position);

drop index concurrently if exists refresh_token_sealed;
create index concurrently refresh_token_sealed on refresh_token (used_at) where sealed_answer is not null;

drop index concurrently if exists ledger_entry_unkept;
create index concurrently ledger_entry_unkept on ledger_entry (at, id)
  where not is_kept and seq is null and account_id is not null;

drop index concurrently if exists payment_customer_former;
create index concurrently payment_customer_former on payment_customer using gin (former_ids) where former_ids <> '{}';

drop index concurrently if exists place_name;
create index concurrently place_name on place (lower(name collate "und-x-icu"), lower(country collate "und-x-icu"));

drop index concurrently if exists place_alias_name;
create index concurrently place_alias_name on place_alias (name, country);

drop index concurrently if exists mail_account_created;
create index concurrently mail_account_created on mail (account_id, created_at desc, id desc) where account_id is not null;

drop index concurrently if exists report_opened_by;
create index concurrently report_opened_by on report (opened_by, created_at desc, id desc) where opened_by is not null;

drop index concurrently if exists report_own_initiative;
create index concurrently report_own_initiative on report (opened_at) where source = 'own_initiative';

drop index concurrently if exists directory_city;
create index concurrently directory_city on directory (city) where city is not null;

drop index concurrently if exists directory_country;
create index concurrently directory_country on directory (country, gender, birth_date) where country is not null;

drop index concurrently if exists directory_gender;
create index concurrently directory_gender on directory (gender, birth_date);

drop index concurrently if exists directory_birth;
create index concurrently directory_birth on directory (birth_date);

drop index concurrently if exists directory_incomplete;
create index concurrently directory_incomplete on directory (created_at desc, account_id desc) where not is_complete;

drop index concurrently if exists profile_paused;
create index concurrently profile_paused on profile (account_id) where paused_at is not null;

drop index concurrently if exists subscription_ends;
create index concurrently subscription_ends on subscription (paid_through, plan, account_id)
  where status in ('trialing', 'active', 'past_due', 'unpaid', 'paused');

drop index concurrently if exists sanction_live;
create index concurrently sanction_live on sanction (account_id) where ended_at is null and revoked_at is null and account_id is not null;

drop index concurrently if exists moderation_case_open_person;
create index concurrently moderation_case_open_person on moderation_case (person_id) where stage <> 'decided' and person_id is not null;

drop index concurrently if exists case_decision_time;
create index concurrently case_decision_time on case_decision (decided_at desc, id desc);

drop index concurrently if exists case_decision_decider_time;
create index concurrently case_decision_decider_time on case_decision (decided_by, decided_at desc, id desc);

drop index concurrently if exists case_decision_rule_time;
create index concurrently case_decision_rule_time on case_decision (rule_id, decided_at desc, id desc) where rule_id is not null;

drop index concurrently if exists appeal_decision_id;
create index concurrently appeal_decision_id on appeal (decision_id);

drop index concurrently if exists decision_liked;
create index concurrently decision_liked on decision (decided_at) include (viewer_id) where kind = 'like';

drop index concurrently if exists match_matched;
create index concurrently match_matched on match (matched_at);

drop index concurrently if exists invoice_paid;
create index concurrently invoice_paid on invoice (paid_at) where paid_at is not null;

drop index concurrently if exists message_sent;
create index concurrently message_sent on message using brin (sent_at) with (autosummarize = on);

drop index concurrently if exists report_reply_author_newest;
create index concurrently report_reply_author_newest on report_reply (author_id, seq desc) where author_id is not null;

drop index concurrently if exists case_event_actor_newest;
create index concurrently case_event_actor_newest on case_event (actor_id, id desc) where actor_id is not null;

drop index concurrently if exists report_opened_unfinished;
create index concurrently report_opened_unfinished on report (opened_by)
  where opened_by is not null and status in ('pending', 'in_progress') and deleted_at is null;

drop index concurrently if exists decision_held;
create index concurrently decision_held on decision (viewer_id, decided_at) where kind in ('held', 'dropped');

drop index concurrently if exists picture_bands;
create index concurrently picture_bands on picture using gin ((array[0 + (dhash >> 55 & 511)::int, 1024 + (dhash >> 46 & 511)::int, 2048 + (dhash >> 37 & 511)::int, 3072 + (dhash >> 28 & 511)::int, 4096 + (dhash >> 19 & 511)::int, 5120 + (dhash >> 10 & 511)::int, 6144 + (dhash >> 0 & 1023)::int]))
  where state <> 'unclaimed';

drop index concurrently if exists profile_photo_verified;
create index concurrently profile_photo_verified on profile (photo_verified_at) where photo_verified_at is not null;

drop index concurrently if exists decision_arrived;
create index concurrently decision_arrived on decision (target_id, coalesce(delivered_at, decided_at) desc, viewer_id) where is_pending;

drop index concurrently if exists message_held_before;
create index concurrently message_held_before on message (own_sent_at) include (sender_id) where own_sent_at is not null;

drop index concurrently if exists conversation_low_own;
create index concurrently conversation_low_own on conversation (low_id) where low_last_at is not null;

drop index concurrently if exists conversation_high_own;
create index concurrently conversation_high_own on conversation (high_id) where high_last_at is not null;

drop index concurrently if exists decision_of_hold;
create index concurrently decision_of_hold on decision (hold_id) where hold_id is not null;

drop index concurrently if exists sanction_search;
create index concurrently sanction_search on sanction (search_due_since) where search_due_since is not null;

drop index concurrently if exists report_event_notice;
create index concurrently report_event_notice on report_event (notice_due_since) where notice_due_since is not null;

drop index concurrently if exists provider_event_card;
create index concurrently provider_event_card on provider_event (setup_intent_id) where setup_intent_id is not null;

drop index concurrently if exists ledger_entry_messages;
create index concurrently ledger_entry_messages on ledger_entry (position) where act in ('messageDeleted', 'photoOpened');

drop index concurrently if exists mail_dead;
create index concurrently mail_dead on mail (created_at) where status = 'dead' and data <> '{}';

drop index concurrently if exists verification_corrected_from;
create index concurrently verification_corrected_from on verification (corrected_from) where corrected_from is not null;

drop index concurrently if exists place_by_key;
create index concurrently place_by_key on place (place_key(name) text_pattern_ops);

drop index concurrently if exists place_alias_by_key;
create index concurrently place_alias_by_key on place_alias (place_key(alias) text_pattern_ops);

drop index concurrently if exists account_gmail;
create index concurrently account_gmail on account (replace(regexp_replace(email, '(?<=.)[+].*$|@.*$', ''), '.', ''))
  where email ~ '@(gmail|googlemail)[.]com$';

-- What replaced them was built above.
drop index concurrently if exists mail_account;
drop index concurrently if exists place_prefix;
drop index concurrently if exists place_alias_prefix;
drop index concurrently if exists decision_received;
drop index concurrently if exists report_reply_author;
drop index concurrently if exists case_event_actor;
