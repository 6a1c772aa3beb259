-- How a member's hidden words are found in profiles.

-- A text for finding words: folded, with letters of other alphabets and signs that look like Latin letters in the Latin ones.
create function logic.word_form(given text) returns text language sql immutable strict parallel safe as $$
  select translate(folded(given), 'аеорсухіјѕԁԛԝһкмтвнοαρνικτυχεη013457@$', 'aeopcyxijsdqwhkmtbhoapviktuxenoieastas')
$$;

-- Whether what a person says on their profile contains one of the words of a pattern. Null, at no cost, without a pattern.
create function logic.has_hidden_word(pattern text, person uuid) returns boolean language plpgsql stable strict parallel safe as $$
begin
  return coalesce((
    select logic.word_form(concat_ws(E'\n', f.first_name, f.gender_text, f.bio,
      (select string_agg(one ->> 'answer', E'\n') from jsonb_array_elements(f.details -> 'prompts') one))) collate "und-x-icu" ~ pattern
    from profile f where f.account_id = person), false);
end $$;
