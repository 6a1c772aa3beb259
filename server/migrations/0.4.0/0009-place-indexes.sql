-- no transaction
-- An operator may have imported every town of the world, and people search while this runs.
drop index concurrently if exists place_geoname;
create unique index concurrently place_geoname on place (geoname_id);
drop index concurrently if exists place_point;
create index concurrently place_point on place using gist (point(longitude, latitude));
insert into place_spelling (place_id, name, population, cell)
  select id, name, population, floor(latitude)::int * 360 + floor(longitude)::int from place
  union all
  select p.id, a.alias, p.population, floor(p.latitude)::int * 360 + floor(p.longitude)::int
  from place_alias a join place p on p.name = a.name and p.country = a.country
on conflict do nothing;
