-- Nothing reads these: what other formulas would have brought is no longer estimated, and only likes that wait count against an inbox.
drop table if exists deck_log, matching_estimate, exposure, least_exposed;
alter table deck drop column if exists formula, drop column if exists expected;
alter table decision drop column if exists dealt_chance;
