-- As before, and the same as `folded` in contract/src/folding.ts, letter by letter, so that a text is found alike on the server and in the
-- browser: digits of any script as 0 to 9, more points and marks, no variation selectors of emoji, one blank between words. The dictionary
-- `unaccent` is no longer used: the letters that it replaced are listed here. The job `profiles.refold` folds stored texts again.
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
