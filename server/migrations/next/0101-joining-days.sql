-- Who joined by day, for the comparison with the same days of last month. From here on `logic.statistic_keys` counts them. Someone who joins
-- in the seconds between is missing in that comparison.
insert into statistic (kind, key, value)
select 'joinedOn', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'), count(*) from directory
where created_at >= (date_trunc('month', now() at time zone 'UTC') - interval '1 month') at time zone 'UTC' group by 2;
