-- Yearly reports as they were published, byte by byte, so that their hashes stay those in the audit trail. They contain no one's data.
create table transparency_report (
  year int not null,
  version int not null,
  made_at timestamptz not null,
  report text not null,
  figures text not null,
  statements text not null,
  -- The batch of the audit trail with their hashes, and its hash, once it is sealed.
  seal_batch int,
  seal_hash text,
  primary key (year, version),
  constraint transparency_report_sealed check ((seal_batch is null) = (seal_hash is null))
);
