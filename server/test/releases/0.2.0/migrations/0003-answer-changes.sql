-- Changes to compatibility answers are limited per week, because each new version of a sheet reveals a little of what others answered.

alter table answer_sheet
  add column changes smallint not null default 0,
  add column changes_since timestamptz;
