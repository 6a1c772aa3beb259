-- How many addresses a member of staff looked up, and when, for the limit of each hour. It has no address.
create table address_lookup (
  staff_id uuid not null references account on delete cascade,
  at timestamptz not null,
  count int not null check (count > 0)
);
create index address_lookup_staff on address_lookup (staff_id, at);
