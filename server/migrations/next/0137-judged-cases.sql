-- Finds what a member of staff judges again, which other reads leave out meanwhile.
create index second_look_reviewer on second_look (reviewer_id) where judged_at is null;
