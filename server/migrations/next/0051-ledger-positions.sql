-- Entries of the ledger are files named by their id. Their position orders them; releases before numbered the files in `seq`.
alter table ledger_entry add column position int;
-- Whether the file is written. Entries with a `seq` are, too.
alter table ledger_entry add column is_kept boolean not null default false;
