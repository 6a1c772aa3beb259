-- How likely it was that the decided card was dealt, in thousandths: nothing for cards whose place left it no chance, or of which it isn't
-- known. And the formula a deck was ranked with.
alter table decision add column dealt_chance smallint;
alter table deck add column formula text;
