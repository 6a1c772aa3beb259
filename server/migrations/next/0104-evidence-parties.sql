-- Who is in messages that were copied from the evidence of another report. They are parties to the case with the copy, also once
-- that report has been deleted.
create table evidence_party (
  account_id uuid not null references account on delete cascade,
  evidence_id uuid not null references report_evidence on delete cascade,
  primary key (account_id, evidence_id)
);
create index evidence_party_evidence on evidence_party (evidence_id);

insert into evidence_party (account_id, evidence_id)
select person.id, e.id from report r join report_evidence e on e.report_id = r.id
  join report source on source.id = (e.content::jsonb ->> 'copiedFrom')::uuid
  cross join lateral (values (source.reporter_id), (source.reported_id)) person (id)
where r.source = 'own_initiative' and e.kind = 'message' and person.id is not null
on conflict do nothing;
