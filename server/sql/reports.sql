-- The searched text of a report: its text, its id and both people's names. Computed when it is filed, and again when
-- one of them is renamed or deleted.
create function logic.report_search_text(id uuid, description text, reporter_id uuid, reported_id uuid) returns text
language sql stable as $$
  select folded(concat_ws(E'\n', description, id::text,
    (select concat_ws(' ', first_name, last_name) from profile where account_id = reporter_id),
    (select concat_ws(' ', first_name, last_name) from profile where account_id = reported_id)))
$$;

-- An account and the accounts linked to it by a ban: the banned person's, and those of everyone who may have come back.
-- Only strong links count, because anyone can upload someone else's picture and be banned for it.
create function logic.own_accounts(viewer uuid) returns setof uuid language sql stable rows 3 as $$
  with shared as (
    select s.id, s.account_id from account_link k join sanction s on s.id = k.sanction_id
    where k.account_id = viewer and k.strength = 'strong'
    union all
    select s.id, s.account_id from sanction s where s.account_id = viewer and s.kind = 'ban'
  )
  select viewer
  union select account_id from shared where account_id is not null
  union select k.account_id from account_link k join shared on shared.id = k.sanction_id where k.strength = 'strong'
$$;

-- The cases to which someone is a party: one of their accounts is reported in the case, filed a report in it, or is in messages that
-- were copied into it from another report.
create function logic.own_cases(viewer uuid) returns setof uuid language sql stable rows 10 as $$
  with own as materialized (select array_agg(id) as ids from logic.own_accounts(viewer) id)
  select c.id from own join moderation_case c on c.person_id = any (own.ids)
  union
  select r.case_id from own join report r on r.reporter_id = any (own.ids) where r.case_id is not null
  union
  select r.case_id from own join evidence_party p on p.account_id = any (own.ids) join report_evidence e on e.id = p.evidence_id
    join report r on r.id = e.report_id where r.case_id is not null
$$;

-- The cases for which a member of staff has a second look. Nothing may show them the decision, nor anything about the
-- people in these cases.
create function logic.judged_cases(viewer uuid) returns setof uuid language sql stable rows 1 as $$
  select d.case_id from second_look l join case_decision d on d.id = l.decision_id where l.reviewer_id = viewer and l.judged_at is null
$$;

create function logic.judged_people(viewer uuid) returns setof uuid language sql stable rows 1 as $$
  select c.person_id from logic.judged_cases(viewer) judged (id) join moderation_case c on c.id = judged.id where c.person_id is not null
$$;

-- The people a member of staff may not act on: their own accounts, and the people of cases to which they are a party.
create function logic.people_involved(viewer uuid) returns setof uuid language sql stable rows 10 as $$
  select id from logic.own_accounts(viewer) id
  union
  select c.person_id from logic.own_cases(viewer) own (id) join moderation_case c on c.id = own.id where c.person_id is not null
$$;

-- What reads exclude: the cases to which a member of staff is a party or which they review again, and the people in
-- them.
create function logic.hidden_cases(viewer uuid) returns setof uuid language sql stable rows 11 as $$
  select id from logic.own_cases(viewer) id union select id from logic.judged_cases(viewer) id
$$;

create function logic.hidden_people(viewer uuid) returns setof uuid language sql stable rows 11 as $$
  select id from logic.people_involved(viewer) id union select id from logic.judged_people(viewer) id
$$;
