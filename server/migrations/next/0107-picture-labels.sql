-- What automatic checks found in a picture: reasons for staff to look closer. Those of an external check are in its words.
alter table picture add column labels text[] not null default '{}', add column external_labels text[] not null default '{}';

-- Pictures of different accounts that look the same, each pair in both directions. A pair goes with either picture.
create table same_picture (
  picture_id uuid not null references picture on delete cascade,
  other_id uuid not null references picture on delete cascade,
  primary key (picture_id, other_id)
);
create index same_picture_other on same_picture (other_id);
