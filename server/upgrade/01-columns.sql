-- no transaction
-- The columns that tables of 0.2.0 gained. Each statement is a change of the catalog alone.

-- One way to compare what people type, the same on every database: without case, accents, strokes and invisible characters, in one form
-- of each letter and digit. The same as `folded` in contract/src/folding.ts, letter by letter. The collation is named, because a database
-- may have any. Indexes use it, so it is not part of sql/. After a change, the job `profiles.refold` folds stored texts again.
create or replace function folded(name text) returns text language sql immutable strict parallel safe
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
create or replace function place_key(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(
    trim(regexp_replace(regexp_replace(folded(name) collate "und-x-icu", '[''`´ʻʼʽˈ]', '', 'g'), '[-.,;:/()·־\s]+', ' ', 'g')),
    '\mst(e?) (?=\S)', 'saint\1 ', 'g'), '\msankt (?=\S)', 'saint ', 'g');

alter table account
  -- When a change of address will be undone.
  add column if not exists address_restore_at timestamptz,
  -- Until then no password can be reset by mail, because staff corrected the address.
  add column if not exists reset_held_until timestamptz,
  -- The language in which people read mails, and everything else that is worded for them without a request of theirs.
  add column if not exists language text not null default 'en';

alter table refresh_token
  -- Which refresh token replaced a used one; null for those that servers of the last release have used up.
  add column if not exists successor_hash bytea;

alter table verification
  -- The handle of joining is the only one that shows the password, and people without a session must not use up the owner's tries.
  add column if not exists asked_by text not null default 'address',
  add column if not exists owner_tries int not null default 0,
  -- The address that staff corrected. Its mailbox can put it back with the cancel link of the same row.
  add column if not exists corrected_from text;

alter table sign_in_challenge
  -- A passkey whose counter went back signs in once more after a code, and its counter is then trusted again. No foreign key: a
  -- challenge whose passkey was removed is refused when it is used.
  add column if not exists passkey_id uuid,
  add column if not exists passkey_counter bigint;

alter table former_address
  -- The link that undoes a change of address ends once a new password was chosen at the new address, or someone stopped the undoing.
  add column if not exists is_restorable boolean not null default true;

alter table data_export
  -- What the newest mailed link to an archive names, which another mail or a download replaces; the archive's own id before any of them.
  add column if not exists link_id uuid;

alter table mail
  -- Of people without an account.
  add column if not exists language text not null default 'en',
  -- When a mail is tried next, until when what it contains is valid, and since when it has been waiting.
  add column if not exists try_at timestamptz not null default '-infinity',
  add column if not exists expires_at timestamptz,
  add column if not exists waiting_since timestamptz not null default now();

alter table ledger_entry
  -- A restored backup must not bring back removed content or hidden profiles either: the ledger keeps sanctions and their revocations.
  -- Ids and keyed digests, no text. Null once the account is gone.
  add column if not exists sanction jsonb,
  -- Entries of the ledger are files named by their id. Their position orders them; releases before numbered the files in `seq`.
  add column if not exists position int,
  -- Whether the file is written. Entries with a `seq` are, too.
  add column if not exists is_kept boolean not null default false,
  -- Deleted messages, photos that were opened once, and legal holds: a restored backup must not undo these either.
  add column if not exists subject jsonb;

alter table picture
  -- What automatic checks found in a picture: reasons for staff to look closer. Those of an external check are in its words.
  add column if not exists labels text[] not null default '{}',
  add column if not exists external_labels text[] not null default '{}';

alter table rejected_look
  -- A rejected picture is refused to the account that had it, because the reason may be about the person. Only content that
  -- the automatic check forbids is refused to everyone.
  add column if not exists is_for_all boolean not null default false;

alter table media_discard
  -- Whose bytes wait to be deleted; null for those of no account.
  add column if not exists account_id uuid;

alter table payment_customer
  -- The customers that an account had before, which its provider no longer knew when they were needed.
  add column if not exists former_ids text[] not null default '{}';

alter table subscription
  -- The day of the month on which a subscription renews, or on the last day of shorter months; null until it is read again.
  add column if not exists anchor_day smallint,
  -- From then on nothing is granted for a paid period, because the rest of it is paid back.
  add column if not exists refunded_from timestamptz,
  -- Whether its buyer may withdraw from it, by their country when they bought it.
  add column if not exists withdrawable boolean not null default true,
  -- The plans that the buyer asked to start at once, so that days used before a withdrawal are paid for.
  add column if not exists starts_now text[] not null default '{}';

alter table provider_event
  -- The card setup whose card becomes the one that pays; null once it has.
  add column if not exists setup_intent_id text;

alter table profile
  -- Since when a member has paused their profile: only people they like, and so their matches, see it.
  add column if not exists paused_at timestamptz,
  -- When staff compared selfies with the pictures of a profile, the profile picture first. The date goes when they change.
  add column if not exists photo_verified_at timestamptz,
  add column if not exists photo_verified_ids uuid[],
  add column if not exists verified_contact_only boolean not null default false;

alter table decision
  -- Which hold the like or message was sent under; null for a dropped one that can never be delivered, whatever is decided.
  add column if not exists hold_id uuid,
  -- When a held like arrived; null for all others, which arrive when they are sent.
  add column if not exists delivered_at timestamptz,
  -- Whether the note of a delivered like is kept from the other person: it waits for a hold, or they want none.
  add column if not exists is_note_held boolean not null default false;

alter table block
  -- The known address that demands a block, and whether it is the only reason for it.
  add column if not exists by_address bytea,
  add column if not exists is_by_address_only boolean not null default false;

alter table conversation
  -- Each match is learned from once, at the age of a week; those from before this change never are.
  add column if not exists is_outcome_learned boolean not null default false,
  -- How many of each side's messages precede the delivered ones in that side's own numbering, and up to which of them it has read while
  -- none is delivered.
  add column if not exists low_held int not null default 0,
  add column if not exists high_held int not null default 0,
  add column if not exists low_held_read int not null default 0,
  add column if not exists high_held_read int not null default 0,
  -- Until when each side has set a conversation aside. The other side never learns of it.
  add column if not exists low_snoozed_until timestamptz,
  add column if not exists high_snoozed_until timestamptz,
  -- The `seq` of each side's messages with such a place, and when something last happened for that side while it differs.
  add column if not exists low_moved int[],
  add column if not exists high_moved int[],
  add column if not exists low_last_at timestamptz,
  add column if not exists high_last_at timestamptz;

alter table message
  -- When a decision removed it: its author still sees it, with the reasons.
  add column if not exists removed_at timestamptz,
  -- Whether a message was read while one of the two hid when they were last active: its sender never sees that time. Null: it was not.
  add column if not exists is_read_hidden boolean,
  -- What a message has besides its text: its media, as they are shown, and the message that it answers.
  add column if not exists media jsonb,
  add column if not exists reply_to int,
  -- The place and time of a message that was held, as its sender sees it; null for all others. The `seq` and `sent_at` are those of its arrival.
  add column if not exists own_seq int,
  add column if not exists own_sent_at timestamptz;

alter table discovery_row
  add column if not exists photo_verified boolean not null default false,
  add column if not exists needs_photo_verified boolean not null default false;

alter table standing
  -- What becomes of matches: T, what was learned of a member towards one gender, with the weight of the evidence and when it last changed.
  add column if not exists warmth real not null default 0,
  add column if not exists warmth_weight real not null default 0,
  add column if not exists warmth_at timestamptz;

alter table push_subscription
  -- Since when a browser's push service has refused every notification for it.
  add column if not exists refused_since timestamptz;

alter table report
  -- Staff open cases on their own initiative, and write to members first: both are rows among reports, because evidence, replies and
  -- decisions belong to these. Only what members wrote is listed and counted.
  add column if not exists source text not null default 'notice',
  -- Who of the staff opened it, and when: an answered message has the time of the answer in created_at.
  add column if not exists opened_by uuid,
  add column if not exists opened_by_name text,
  add column if not exists opened_at timestamptz,
  add column if not exists is_listed boolean not null default true;

alter table report_event
  -- When the outcome was set; null once the reporter was told, or needn't be.
  add column if not exists notice_due_since timestamptz;

alter table sanction
  -- Decisions can remove a picture, a text of the profile, the answer to a prompt or a message.
  -- Of which copy in the evidence it is a part; the copy itself says what it was, and is what an overturned appeal puts back.
  add column if not exists content jsonb,
  add column if not exists search_due_since timestamptz;

alter table appeal
  -- Nor does someone review an appeal who opened the case themselves.
  add column if not exists openers uuid[] not null default '{}';

-- The payment sandbox of an installation that tries the product out. Its tables belong to the role that upgrades.
do $$ begin if to_regclass('sandbox.invoice') is not null then alter table sandbox.invoice
  add column if not exists refunded_minor int not null default 0; end if; end $$;
