-- no transaction
alter table date_plan validate constraint date_plan_proposed_by_fkey;
alter table date_plan validate constraint date_plan_proposed_to_fkey;
