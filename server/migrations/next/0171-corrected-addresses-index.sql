-- no transaction
drop index concurrently if exists verification_corrected_from;
create index concurrently verification_corrected_from on verification (corrected_from) where corrected_from is not null;
