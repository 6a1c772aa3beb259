-- Deleted messages, photos that were opened once, and legal holds: a restored backup must not undo these either.
alter table ledger_entry add column subject jsonb;
alter table ledger_entry drop constraint ledger_entry_act_check;
alter table ledger_entry add constraint ledger_entry_act_check check (act in ('left', 'returned', 'deactivated', 'activated',
  'sanctioned', 'revoked', 'messageDeleted', 'photoOpened', 'holdSet', 'holdReleased')) not valid;
