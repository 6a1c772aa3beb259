-- no transaction
alter table ledger_entry validate constraint ledger_entry_act_check;
drop index concurrently if exists ledger_entry_messages;
create index concurrently ledger_entry_messages on ledger_entry (position) where act in ('messageDeleted', 'photoOpened');
