-- The searched text of a report: its text, its id and both people's names. Computed when it is filed, and again when
-- one of them is renamed or deleted.
create function logic.report_search_text(id uuid, description text, reporter_id uuid, reported_id uuid) returns text
language sql stable as $$
  select lower(concat_ws(E'\n', description, id::text,
    (select concat_ws(' ', first_name, last_name) from profile where account_id = reporter_id),
    (select concat_ws(' ', first_name, last_name) from profile where account_id = reported_id)) collate "und-x-icu")
$$;
