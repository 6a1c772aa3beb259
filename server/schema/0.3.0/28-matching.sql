-- Figures that matching is judged by.

-- How matching did, by week and segment: counted at night, so that no screen counts rows. Without anyone's id.
create table matching_week (
  -- Its Monday, UTC.
  week date not null,
  -- Empty for all.
  gender text not null,
  age text not null,
  -- Members who decided about a card, and those of them with a new match.
  members int not null,
  matched int not null,
  -- The Gini coefficient of the likes that they received.
  gini real not null,
  likes int not null,
  likes_unread int not null,
  newcomers int not null,
  newcomers_matched int not null,
  first_messages int not null,
  replied int not null,
  matches int not null,
  conversations int not null,
  counted_at timestamptz not null,
  primary key (week, gender, age)
);
