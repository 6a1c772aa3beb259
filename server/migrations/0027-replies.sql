-- Who wrote first, and whether the other one has answered.
alter table conversation add column opened_by uuid, add column is_answered boolean not null default false;
update conversation c set opened_by = m.sender_id from message m where m.conversation_id = c.id and m.seq = 1;
update conversation c set is_answered = true
  where exists (select from message m where m.conversation_id = c.id and m.sender_id <> c.opened_by);

-- To how many who wrote to somebody first they have answered; fades like everything learned.
create table reply_count (
  account_id uuid primary key references account on delete cascade,
  received real not null,
  answered real not null
) with (fillfactor = 80);
insert into reply_count (account_id, received, answered)
  select case when opened_by = low_id then high_id else low_id end as answerer, count(*), count(*) filter (where is_answered)
  from conversation where opened_by is not null group by answerer;
