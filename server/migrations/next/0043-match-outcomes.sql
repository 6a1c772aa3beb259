-- What becomes of matches: T, what was learned of a member towards one gender, with the weight of the evidence and when it last changed.
alter table standing add column warmth real not null default 0;
alter table standing add column warmth_weight real not null default 0;
alter table standing add column warmth_at timestamptz;
-- Each match is learned from once, at the age of a week; those from before this change never are.
alter table conversation add column is_outcome_learned boolean not null default true;
alter table conversation alter column is_outcome_learned set default false;
