-- The members who are online, with what lists of them are sorted, filtered and searched by. A small table of its own, because coming and
-- going wrote into every index of the directory. A read model, written only by sql/directory.sql; it has no foreign key, because the
-- directory's triggers keep it and the counters of its rows in step.
create table online_member (
  account_id uuid primary key,
  created_at timestamptz not null,
  name_sort text collate "und-x-icu" not null,
  search_text text not null,
  is_vip boolean not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index online_member_created on online_member (created_at desc, account_id desc) include (is_vip);
create index online_member_name on online_member (name_sort, account_id) include (is_vip);

insert into online_member
select d.account_id, d.created_at, d.name_sort, d.search_text, d.is_vip
from directory d join presence p on p.account_id = d.account_id where d.online and p.online;

-- From now on `directory.online` is neither written nor read. Servers of the previous release still use it, so a later release drops it.
alter table directory alter column online set default false;
drop index directory_created_online, directory_name_online;
