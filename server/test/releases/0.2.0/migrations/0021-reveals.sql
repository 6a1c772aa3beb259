-- Who revealed a member's private data, for the limit of each hour and the alarm; the audit trail has the whole story.
create table pii_reveal (
  id bigint primary key generated always as identity,
  staff_id uuid not null references account on delete cascade,
  at timestamptz not null,
  -- How many the person's role allowed within an hour.
  quota int not null
);
create index pii_reveal_staff on pii_reveal (staff_id, at);
create index pii_reveal_at on pii_reveal (at);
