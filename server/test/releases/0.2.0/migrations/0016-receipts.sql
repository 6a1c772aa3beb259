-- Receipts that a tax office accepts.

-- What a receipt states besides the payment: the seller and the tax when it was paid, the card, credit and discount. Never changed later.
alter table invoice add column receipt jsonb;
alter table invoice add column refunded_minor int not null default 0;
alter table invoice add column refunded_at timestamptz;

alter table sandbox.invoice add column credit_minor int not null default 0;
alter table sandbox.invoice add column card_brand text;
alter table sandbox.invoice add column card_last4 text;
