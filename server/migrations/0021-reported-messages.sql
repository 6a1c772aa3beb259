-- What was written in a conversation, as a report froze it.
alter table report_evidence drop constraint report_evidence_kind_check;
alter table report_evidence add constraint report_evidence_kind_check check (kind in ('profile', 'picture', 'message'));

-- In which order a message said what it said; clocks of two processes may differ.
alter table message_trace add column id bigint not null generated always as identity;
drop index message_trace_of;
create index message_trace_of on message_trace (conversation_id, seq, id);
