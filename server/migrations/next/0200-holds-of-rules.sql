-- no transaction
-- How many people a rule held within an hour.
drop index concurrently if exists account_hold_rule;
create index concurrently account_hold_rule on account_hold (since, rule_id) where rule_id is not null;
