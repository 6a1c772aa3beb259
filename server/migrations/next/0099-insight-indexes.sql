-- no transaction
drop index concurrently if exists decision_liked;
create index concurrently decision_liked on decision (decided_at) include (viewer_id) where kind = 'like';
drop index concurrently if exists match_matched;
create index concurrently match_matched on match (matched_at);
drop index concurrently if exists invoice_paid;
create index concurrently invoice_paid on invoice (paid_at) where paid_at is not null;
drop index concurrently if exists message_sent;
create index concurrently message_sent on message using brin (sent_at) with (autosummarize = on);
