create function logic.report_search_text(r report) returns text language sql stable as $$
  select lower(concat_ws(E'\n', r.description, r.id::text,
    (select concat_ws(' ', first_name, last_name) from profile where account_id = r.reporter_id),
    (select concat_ws(' ', first_name, last_name) from profile where account_id = r.reported_id)) collate "und-x-icu")
$$;

create function logic.report_before_insert() returns trigger language plpgsql as $$
begin
  new.search_text := logic.report_search_text(new);
  return new;
end $$;
create trigger report_insert before insert on report for each row execute function logic.report_before_insert();

create function logic.report_after_rename() returns trigger language plpgsql as $$
begin
  update report r set search_text = logic.report_search_text(r)
    where r.reporter_id = new.account_id or r.reported_id = new.account_id;
  return null;
end $$;
create trigger report_rename after update of first_name, last_name on profile for each row
  when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function logic.report_after_rename();

-- A person who goes leaves a random value behind: reports about one person still belong together, and tell nobody's name.
create function logic.report_before_account_delete() returns trigger language plpgsql as $$
declare alias uuid := gen_random_uuid();
begin
  update report r set reporter_id = null, reporter_alias = alias, search_text = lower(r.description || E'\n' || r.id::text)
    where reporter_id = old.id;
  update report r set reported_id = null, reported_alias = alias, named_id = null, named_name = null,
    search_text = lower(r.description || E'\n' || r.id::text) where reported_id = old.id;
  return old;
end $$;
create trigger report_account_delete before delete on account
  for each row execute function logic.report_before_account_delete();
