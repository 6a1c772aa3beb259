-- Whom a member of staff read in lists within the last 24 hours, and why their full address was shown. It has no foreign
-- key to the people, because checking a thousand of them would lock their accounts; its rows are deleted after a day.
create table listed_person (
  staff_id uuid not null references account on delete cascade,
  person_id uuid not null,
  at timestamptz not null,
  address text constraint listed_person_address_check check (address in ('newest', 'further', 'revealed')),
  primary key (staff_id, person_id)
);
create index listed_person_at on listed_person (staff_id, at);
