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
alter table transparency_report add column statements_bytes bigint not null default 0;
update transparency_report set statements_bytes = octet_length(statements);
insert into transparency_part (year, version, position, body)
select year, version, n, substr(statements, 1 + n * 262144, 262144)
from transparency_report cross join lateral generate_series(0, (length(statements) - 1) / 262144) n where statements <> '';
alter table transparency_report drop column statements;
