-- How a member's hidden words are found in profiles.

-- A text in the form for finding words, equal to `wordForm` in contract/src/profiles/hidden-words.ts: folded, with one
-- space before, between and after words, and with Latin letters in place of look-alikes in words that have some.
-- Folding takes a hundred times as long as `lower`, which does the same to ASCII.
create function logic.word_form(given text) returns text language sql immutable strict parallel safe as $$
  select ' ' || trim(regexp_replace(regexp_replace(string_agg(
      case when word ~ '[a-z]' then translate(word, 'аеорсухіјѕԁԛԝһкмтвнοαρνικτυχεη013457@$', 'aeopcyxijsdqwhkmtbhoapviktuxenoieastas')
        else translate(word, '@$', '  ') end, ' ' order by at),
    '(?<=[0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])(?=[^ 0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])|(?<=[^ 0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])(?=[0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])', ' ', 'g'),
    ' +', ' ', 'g')) || ' '
  from string_to_table(regexp_replace(
    ' ' || regexp_replace(case when octet_length(given) = length(given) then lower(given) else folded(given) end collate "und-x-icu",
      '(?:(?!@)[[:punct:]]|[[:space:]+<=>^`|~])+', ' ', 'g') || ' ',
    '(?<=(?:^| )[^ ]) (?=[^ ] [^ ] [^ ](?: |$))|(?<=(?:^| )[^ ] [^ ]) (?=[^ ] [^ ](?: |$))|(?<=(?:^| )[^ ] [^ ] [^ ]) (?=[^ ](?: |$))', '', 'g'),
    ' ') with ordinality as words (word, at)
$$;

-- The text on a person's profile, in this form. It is longer than the original only if that contains signs that fold to
-- whole sentences, and the searched text ends after 4,000 letters.
create function logic.profile_form(id uuid) returns text language sql stable parallel safe as $$
  select left(logic.word_form(concat_ws(E'\n', f.first_name, f.gender_text, f.bio,
    (select string_agg(one ->> 'answer', E'\n') from jsonb_array_elements(f.details -> 'prompts') one))), 4000)
  from profile f where f.account_id = id
$$;

-- Stores the searched form of these profiles.
create function logic.refresh_words(ids uuid[]) returns void language sql as $$
  insert into profile_words as w (account_id, form)
    select f.account_id, logic.profile_form(f.account_id) from profile f where f.account_id = any (ids)
    on conflict (account_id) do update set form = excluded.form where w.form <> excluded.form
$$;

create function logic.profile_said() returns trigger language plpgsql as $$
begin
  perform logic.refresh_words(array[new.account_id]);
  return null;
end $$;
create trigger profile_said after insert or update of first_name, gender_text, bio, details on profile
  for each row execute function logic.profile_said();

-- Whether a profile contains one of the words of a pattern, which are separated by |. Without a pattern it returns null
-- at no cost. Searching for one word after the other takes a third of the time of matching the pattern.
create function logic.has_hidden_word(pattern text, person uuid) returns boolean language plpgsql stable strict parallel safe as $$
declare
  form text := coalesce((select w.form from profile_words w where w.account_id = person), logic.profile_form(person), '');
  word text;
begin
  foreach word in array string_to_array(pattern, '|') loop
    if strpos(form collate "C", word) > 0 then
      return true;
    end if;
  end loop;
  return false;
end $$;
