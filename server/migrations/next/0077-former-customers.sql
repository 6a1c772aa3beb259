-- The customers that an account had before, which its provider no longer knew when they were needed.
alter table payment_customer add column former_ids text[] not null default '{}';
