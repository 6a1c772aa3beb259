-- Profiles, the places they name, and the directory that people are listed and searched in.

-- One way to compare what people type, the same on every database: without case, accents, strokes and invisible characters, in one form
-- of each letter and digit. The same as `folded` in contract/src/folding.ts, letter by letter. The collation is named, because a database
-- may have any. Indexes use it, so it is not part of sql/. After a change, the job `profiles.refold` folds stored texts again.
create function folded(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(replace(replace(replace(replace(translate(
    normalize(regexp_replace(
      normalize(lower(normalize(name, NFKC) collate "und-x-icu"), NFD),
      '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08ff\u093c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]',
      '', 'g'), NFC),
    'øđðłħŧıŋɓɖɗƙɲƴƒɛɔəʋɠɨʉςґ’‘ʼʻʹ′`“”„'
      || U&'\05f3\2010\2012\2013\2014\2015\2212\05be\0671\0649\06cc\06d0\06a9\06d5\0629\06c1\06be\0901'
      || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙༠༡༢༣༤༥༦༧༨༩၀၁၂၃၄၅၆၇၈၉០១២៣៤៥៦៧៨៩'
      || '齋齊邊邉澤濱髙﨑嵜廣櫻黑榮惠國學眞齒嶋臺'
      || U&'\1c90\1c91\1c92\1c93\1c94\1c95\1c96\1c97\1c98\1c99\1c9a\1c9b\1c9c\1c9d\1c9e\1c9f\1ca0\1ca1\1ca2\1ca3\1ca4\1ca5\1ca6\1ca7\1ca8\1ca9\1caa\1cab\1cac\1cad\1cae\1caf\1cb0\1cb1\1cb2\1cb3\1cb4\1cb5\1cb6\1cb7\1cb8\1cb9\1cba\1cbd\1cbe\1cbf',
    'oddlhtinbddknyfeoevgiuσг' || repeat('''', 7) || '"""''-------'
      || U&'\0627\064a\064a\064a\0643\0647\0647\0647\0647\0902'
      || repeat('0123456789', 16)
      || '斎斉辺辺沢浜高崎崎広桜黒栄恵国学真歯島台'
      || U&'\10d0\10d1\10d2\10d3\10d4\10d5\10d6\10d7\10d8\10d9\10da\10db\10dc\10dd\10de\10df\10e0\10e1\10e2\10e3\10e4\10e5\10e6\10e7\10e8\10e9\10ea\10eb\10ec\10ed\10ee\10ef\10f0\10f1\10f2\10f3\10f4\10f5\10f6\10f7\10f8\10f9\10fa\10fd\10fe\10ff'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), ' {2,}', ' ', 'g');

-- The name of a place in one spelling: folded, without apostrophes, with blanks for other signs, and Saint for St. and Sankt.
create function place_key(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(
    trim(regexp_replace(regexp_replace(folded(name) collate "und-x-icu", '[''`´ʻʼʽˈ]', '', 'g'), '[-.,;:/()·־\s]+', ' ', 'g')),
    '\mst(e?) (?=\S)', 'saint\1 ', 'g'), '\msankt (?=\S)', 'saint ', 'g');

create table profile (
  account_id uuid primary key references account on delete cascade,
  first_name text,
  last_name text,
  gender text check (gender in ('woman', 'man', 'non-binary')),
  gender_text text,
  birth_date date,
  bio text,
  seeking text[] not null default '{}' check (seeking <@ array['woman', 'man', 'non-binary']),
  city text,
  country text,
  -- The centre of a 0.03° place cell; nothing more precise is ever stored.
  latitude double precision,
  longitude double precision,
  show_last_active boolean not null default true,
  -- Seen only by people this member liked, as long as Premium lasts.
  incognito boolean not null default false,
  -- Everything else on a dating profile. One document, because it is written and read as a whole and the contract defines it; what
  -- people are searched by is repeated in the directory.
  details jsonb not null default '{}',
  -- The pictures as views need them. Written only by sql/pictures.sql, so that a list of people never joins `picture`.
  pictures jsonb not null default '[]',
  picture_count smallint not null default 0,
  complete boolean not null generated always as (
    first_name is not null and birth_date is not null and gender is not null
    and cardinality(seeking) > 0 and (city is not null or latitude is not null) and picture_count > 0
  ) stored,
  -- Since when a member has paused their profile: only people they like, and so their matches, see it.
  paused_at timestamptz,
  -- When staff compared selfies with the pictures of a profile, the profile picture first. The date goes when they change.
  photo_verified_at timestamptz,
  photo_verified_ids uuid[],
  verified_contact_only boolean not null default false,
  constraint profile_place check ((latitude is null) = (longitude is null))
);
create index profile_paused on profile (account_id) where paused_at is not null;
create index profile_photo_verified on profile (photo_verified_at) where photo_verified_at is not null;

-- One row each time the stored cell changes, for the daily limit on location changes.
create table place_move (
  account_id uuid not null references account on delete cascade,
  moved_at timestamptz not null
);
create index place_move_account on place_move (account_id, moved_at);

create table place (
  id int generated always as identity primary key,
  name text not null,
  country text not null,
  latitude double precision not null,
  longitude double precision not null,
  population int not null default 0
);
-- For the nearest known place, among hundreds of thousands after an import.
create index place_latitude on place (latitude);
create index place_name on place (lower(name collate "und-x-icu"), lower(country collate "und-x-icu"));
create index place_by_key on place (place_key(name) text_pattern_ops);

-- Other names of places, such as those in their own language.
create table place_alias (
  alias text not null,
  name text not null,
  country text not null,
  primary key (alias, name, country)
);
create index place_alias_name on place_alias (name, country);
create index place_alias_by_key on place_alias (place_key(alias) text_pattern_ops);

-- One narrow row per account that staff can list: all except those being deleted. A read model, written only by sql/directory.sql,
-- with an index for each order and status. Texts are lower-cased for comparing.
create table directory (
  account_id uuid primary key references account on delete cascade,
  created_at timestamptz not null,
  name_sort text collate "und-x-icu" not null,
  -- Name and e-mail address on two lines, so that no match spans both.
  search_text text not null,
  is_active boolean not null,
  is_vip boolean not null,
  is_verified boolean not null,
  is_complete boolean not null,
  online boolean not null default false,
  gender text,
  birth_date date,
  -- May be shown to members at all. The columns below are what members search by.
  is_shown boolean not null,
  is_incognito boolean not null default false,
  shows_activity boolean not null,
  first_name text,
  city text,
  country text,
  latitude double precision,
  longitude double precision,
  interests text[] not null default '{}'
);
create index directory_created on directory (created_at desc, account_id desc)
  include (search_text, is_active, is_vip, is_verified, online);
create index directory_created_vip on directory (created_at desc, account_id desc)
  include (search_text, is_active, is_verified, online) where is_vip;
create index directory_created_inactive on directory (created_at desc, account_id desc)
  include (search_text, is_vip) where not is_active;
create index directory_name on directory (name_sort, account_id)
  include (search_text, is_active, is_vip, is_verified, online);
create index directory_name_vip on directory (name_sort, account_id)
  include (search_text, is_active, is_verified, online) where is_vip;
create index directory_name_inactive on directory (name_sort, account_id)
  include (search_text, is_vip) where not is_active;
create index directory_search on directory using gin (search_text gin_trgm_ops);
create index directory_search_name on directory using gin (name_sort gin_trgm_ops);
create index directory_shown on directory (created_at desc, account_id desc) where is_shown;
create index directory_shown_gender on directory (gender, birth_date) where is_shown;
create index directory_shown_first_name on directory using gin (first_name gin_trgm_ops) where is_shown;
create index directory_shown_city on directory (city) where is_shown;
create index directory_shown_country on directory (country) where is_shown;
create index directory_shown_place on directory (latitude, longitude) where is_shown;
create index directory_shown_interests on directory using gin (interests) where is_shown;
create index directory_city on directory (city) where city is not null;
create index directory_country on directory (country, gender, birth_date) where country is not null;
create index directory_gender on directory (gender, birth_date);
create index directory_birth on directory (birth_date);
create index directory_incomplete on directory (created_at desc, account_id desc) where not is_complete;

-- The members who are online, with what lists of them are sorted, filtered and searched by. A small table of its own, because coming and
-- going wrote into every index of the directory. A read model, written only by sql/directory.sql; it has no foreign key, because the
-- directory's triggers keep it and the counters of its rows in step.
create table online_member (
  account_id uuid primary key,
  created_at timestamptz not null,
  name_sort text collate "und-x-icu" not null,
  search_text text not null,
  is_vip boolean not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index online_member_created on online_member (created_at desc, account_id desc) include (is_vip);
create index online_member_name on online_member (name_sort, account_id) include (is_vip);

-- The people a member was shown on a day, UTC, so that no one can page through every profile.
create table seen_people (
  viewer_id uuid primary key references account on delete cascade,
  seen_on date not null,
  ids uuid[] not null
) with (fillfactor = 50);
