-- The known place nearest to a point, of hundreds of thousands after an import.
create index place_latitude on place (latitude);
