-- The yearly report on moderation.

-- Yearly reports as they were published, byte by byte, so that their hashes stay those in the audit trail. They contain no one's data.
create table transparency_report (
  year int not null,
  version int not null,
  made_at timestamptz not null,
  report text not null,
  figures text not null,
  -- The batch of the audit trail with their hashes, and its hash, once it is sealed.
  seal_batch int,
  seal_hash text,
  statements_bytes bigint not null default 0,
  primary key (year, version),
  constraint transparency_report_sealed check ((seal_batch is null) = (seal_hash is null))
);

-- The statements of a report in parts, so that neither making nor sending them takes the memory of all.
create table transparency_part (
  year int not null,
  version int not null,
  position int not null,
  body text not null,
  primary key (year, version, position),
  constraint transparency_part_report foreign key (year, version) references transparency_report on delete cascade
    deferrable initially deferred
);
