-- Messages to many people start some minutes after an approval was used, and can be taken back where they are unread.
alter table bulk_act add column starts_at timestamptz;
alter table bulk_act_item add column report_id uuid references report on delete set null;
create index bulk_act_item_report on bulk_act_item (report_id) where report_id is not null;
