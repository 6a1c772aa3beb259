-- What the owner changed of the service: each change is a new version, and the newest that can be read holds.
create table service_version (
  version int primary key check (version > 0),
  settings jsonb not null,
  saved_at timestamptz not null,
  -- The name stays when the account is deleted.
  saved_by text not null,
  -- The earlier version that this one brought back.
  brought_back int
);

-- Logos and icons, redrawn from what was uploaded, by the digest of their bytes.
create table brand_picture (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  png bytea not null,
  uploaded_at timestamptz not null
);
