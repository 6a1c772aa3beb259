-- A shared date outlives the conversation and the other person's account, so that the friend who follows it still sees the place and the time.
alter table date_plan drop constraint date_plan_conversation_id_fkey;
alter table date_plan alter column proposed_by drop not null, alter column proposed_to drop not null;
alter table date_plan drop constraint date_plan_proposed_by_fkey, drop constraint date_plan_proposed_to_fkey;
alter table date_plan
  add constraint date_plan_proposed_by_fkey foreign key (proposed_by) references account on delete set null not valid,
  add constraint date_plan_proposed_to_fkey foreign key (proposed_to) references account on delete set null not valid;
-- The other person's first name when the link was made; null in links made before this column.
alter table date_share add column name text;
