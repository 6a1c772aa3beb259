-- no transaction
alter table premium_refund validate constraint premium_refund_days_check;
alter table premium_refund validate constraint premium_refund_amount_minor_check;
