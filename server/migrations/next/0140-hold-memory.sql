-- Which hold the like or message was sent under; null for a dropped one that can never be delivered, whatever is decided.
alter table decision add column hold_id uuid;
alter table held_message add column hold_id uuid;
-- Since when what the hold withheld is being delivered; null once nothing is left.
alter table account_hold add column releasing_since timestamptz;
create index account_hold_releasing on account_hold (releasing_since) where releasing_since is not null;
