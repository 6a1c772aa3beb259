-- Premium is granted for payments of the amount and currency that members were asked for.

-- What a change to a longer plan was to take at once, in minor units, by plan; a plan's full price is `price_minor`.
alter table subscription add column asked_changes jsonb not null default '{}';
-- Whether a payment was the one that was asked for; another one is kept and grants nothing.
alter table invoice add column is_as_asked boolean not null default true;
