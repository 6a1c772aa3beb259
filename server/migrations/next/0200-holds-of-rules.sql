-- How many people a rule held within an hour.
create index account_hold_rule on account_hold (since, rule_id) where rule_id is not null;
