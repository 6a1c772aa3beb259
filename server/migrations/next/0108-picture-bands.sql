-- no transaction
-- Pictures that look alike share at least one of seven bands of their hashes. The server asks for the same expression.
drop index concurrently if exists picture_bands;
create index concurrently picture_bands on picture using gin ((array[0 + (dhash >> 55 & 511)::int, 1024 + (dhash >> 46 & 511)::int, 2048 + (dhash >> 37 & 511)::int, 3072 + (dhash >> 28 & 511)::int, 4096 + (dhash >> 19 & 511)::int, 5120 + (dhash >> 10 & 511)::int, 6144 + (dhash >> 0 & 1023)::int]))
  where state <> 'unclaimed';
