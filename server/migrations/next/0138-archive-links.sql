-- What the newest mailed link to an archive names, which another mail or a download replaces; the archive's own id before any of them.
alter table data_export add column link_id uuid;
