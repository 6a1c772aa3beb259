-- no transaction
alter table report_evidence validate constraint report_evidence_kind_check;
