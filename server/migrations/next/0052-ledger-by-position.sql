-- no transaction
drop index concurrently if exists ledger_entry_position;
create index concurrently ledger_entry_position on ledger_entry (position);
