-- The note of a like can be reported, and a decision can remove it. Templates can also be for the facts and the answer of a decision.
alter table report_evidence drop constraint report_evidence_kind_check;
alter table report_evidence add constraint report_evidence_kind_check check (kind in ('profile', 'picture', 'message', 'note')) not valid;

alter table reply_template add column kind text not null default 'reply' check (kind in ('reply', 'facts', 'answer'));
insert into reply_template (version, name, body, created_by, kind) values
  (1, 'Messages broke a rule', 'Messages that you sent broke our rule "{rule}". In them, you wrote: ', 'Heartwood', 'facts'),
  (1, 'The profile broke a rule', 'Your profile broke our rule "{rule}". What we found there: ', 'Heartwood', 'facts'),
  (1, 'We acted', 'Hi {firstName}, thank you for your report of {date}. We found that our rule "{rule}" was broken and have acted on it. Please tell us if it happens again.', 'Heartwood', 'answer'),
  (1, 'No rule was broken', 'Hi {firstName}, thank you for your report of {date}. We looked at it carefully and found that our rules were not broken. You can block anyone you would rather not see.', 'Heartwood', 'answer')
on conflict do nothing;
