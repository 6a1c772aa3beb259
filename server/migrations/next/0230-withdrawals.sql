alter table subscription
  -- Whether its buyer may withdraw from it, by their country when they bought it.
  add column withdrawable boolean not null default true,
  -- The plans that the buyer asked to start at once, so that days used before a withdrawal are paid for.
  add column starts_now text[] not null default '{}';

-- Also what ends without money, such as a withdrawal from a free trial.
alter table premium_refund
  add column is_withdrawal boolean not null default false,
  drop constraint premium_refund_days_check,
  drop constraint premium_refund_amount_minor_check,
  add constraint premium_refund_days_check check (days >= 0) not valid,
  add constraint premium_refund_amount_minor_check check (amount_minor >= 0) not valid;
