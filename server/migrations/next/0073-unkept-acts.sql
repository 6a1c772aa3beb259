-- no transaction
drop index concurrently if exists ledger_entry_unkept;
create index concurrently ledger_entry_unkept on ledger_entry (at, id)
  where not is_kept and seq is null and account_id is not null;
