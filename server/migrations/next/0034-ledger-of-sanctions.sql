-- A restored backup must not bring back removed content or hidden profiles either: the ledger keeps sanctions and their revocations.

-- Ids and keyed digests, no text. Null once the account is gone.
alter table ledger_entry add column sanction jsonb;
alter table ledger_entry drop constraint ledger_entry_act_check;
alter table ledger_entry add constraint ledger_entry_act_check check (act in ('left', 'returned', 'deactivated', 'activated',
  'sanctioned', 'revoked')) not valid;
