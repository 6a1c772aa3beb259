-- no transaction
-- Lists of open cases by when they were opened.
drop index concurrently if exists moderation_case_opened;
create index concurrently moderation_case_opened on moderation_case (opened_at, id) where stage <> 'decided';
