-- no transaction
drop index concurrently if exists sanction_search;
create index concurrently sanction_search on sanction (search_due_since) where search_due_since is not null;
drop index concurrently if exists report_event_notice;
create index concurrently report_event_notice on report_event (notice_due_since) where notice_due_since is not null;
drop index concurrently if exists provider_event_card;
create index concurrently provider_event_card on provider_event (setup_intent_id) where setup_intent_id is not null;
