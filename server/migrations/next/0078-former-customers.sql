-- no transaction
drop index concurrently if exists payment_customer_former;
create index concurrently payment_customer_former on payment_customer using gin (former_ids) where former_ids <> '{}';
