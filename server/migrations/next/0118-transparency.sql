-- Yearly reports as they were published, byte by byte, so that their hashes stay those in the audit trail. They contain no one's data.
create table transparency_report (
  year int not null,
  version int not null,
  made_at timestamptz not null,
  report text not null,
  figures text not null,
  statements text not null,
  primary key (year, version)
);
