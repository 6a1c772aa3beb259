-- How many messages each of the two has sent. The first ones are checked for signs of fraud, and counting them for every
-- new message took longer with every message in the conversation.
alter table conversation add column low_sent int not null default 0, add column high_sent int not null default 0;
update conversation c set low_sent = s.low, high_sent = s.high
from (
  select m.conversation_id, count(*) filter (where m.sender_id = o.low_id) as low, count(*) filter (where m.sender_id = o.high_id) as high
  from message m join conversation o on o.id = m.conversation_id group by m.conversation_id
) s where s.conversation_id = c.id;
