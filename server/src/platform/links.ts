import { plain } from '#contract/readable.ts';
import { commonDomains } from '#contract/text.ts';

/** The most used country endings, and other two-letter endings that are sold for short addresses. */
const countries =
  'ac|ae|ag|ai|ar|at|au|be|bg|br|by|ca|cc|ch|cl|cn|co|cz|de|dk|ee|es|eu|fi|fm|fr|ge|gg|gl|gr|hk|hr|hu|id|ie|il|in|io|ir|is|it|jp|ke|kr|kz|la|li|lt|lu|lv|ly|ma|md|me|mx|my|ng|nl|no|nu|nz|pe|ph|pk|pl|pt|pw|ro|rs|ru|sa|se|sg|sh|si|sk|so|su|th|tk|to|tr|tv|tw|ua|ug|uk|us|uz|vc|vn|ws|za';
const setOf = (list: string) => new Set(plain(list).split(/[| ]+/));
const endings = setOf(`${commonDomains}|${countries}|рф|ру|ком|онлайн|сайт|укр|бел`);

/** Endings that are not words: a name before one is a link, wherever the writer put spaces. */
const sure = setOf('com net org info biz xyz icu ru cn jp kr uk fr io gg tk рф');
/** Endings that are also words with which a sentence often begins or continues, so that a missing space makes them look like a link. */
const functionWords = setOf('it is so to at no in my be by us');
const shortWords = setOf('me de la es se si su la co ma li sa za gl id ie ai il hu by ch');

/** Words that end sentences, so that a word after them without a space begins the next sentence. */
const lastWords = setOf(
  `it that this them you me too us him her so yes no not nope ok okay good great nice cool fun fine well here there now
  then again today tonight tomorrow up out off on in down day days night week time music film lot lots love like life
  home work people thing things much more ever never always often once bad sad best better both all one two three alone
  together way years year dog cat food city sea place haha lol hey hi hello thanks please sure right maybe really gut
  schön ja nein bien sí oui non bom sim legal belo bello goed mooi leuk dobrze fajnie tak güzel evet etc usw bzw vs`,
);

/** Words with which a writer points to a link. */
const pointer = /(?:\b(?:on|at|see|visit|to|site|page|link|open|auf|bei|sur|en|em|su|na|op)|[:>])\s$/i;

const dotted =
  /(?<=[\p{L}\p{N}-])( ?)[.。]( ?)([a-z]{2,12}(?![a-z0-9])|(?:рф|ру|ком|онлаин|саит|укр|бел)(?!\p{L}))(\/\S)?/giu;
const lastLabel = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+$/u;
const longestLabel = 40;

/** In Portuguese, "com" means "with". */
const portugueseWith =
  /^ (?:o|a|os|as|um|uma|voce|certeza|quem|muit[oa]|el[ea]s?|ess[ae]s?|est[ae]s?|meus?|minhas?|seus?|suas?|amigos?|queijo|carinho|calma|tudo)(?!\p{L})/iu;

const isCapital = (word: string) => /^\p{Lu}\P{Lu}*$/u.test(word);

/** The name before a full stop, with the facts about the words around it that the decision needs. */
interface Name {
  label: string;
  text: string;
  before: string;
  hasBlankBefore: boolean;
  hasBlankAfter: boolean;
}

/** Whether this full stop, which has spaces around it, can only be part of a disguised link. */
function isSpacedLink({ label, hasBlankBefore, text }: Name, ending: string, rest: string): boolean {
  if (!sure.has(ending) || text !== ending || lastWords.has(label.toLowerCase())) return false;
  if (hasBlankBefore) return ending !== 'net' || label.length > 4;
  // In "It is fun. Com", only an ending that nothing follows counts, because more words follow the first word of a sentence.
  return /^(?:[/?!.,;)]|\s*$)/.test(rest) && !isCapital(text);
}

function isLinkTo(name: Name, ending: string, rest: string): boolean {
  const { label, text, before, hasBlankBefore, hasBlankAfter } = name;
  if (!endings.has(ending) || (ending === 'com' && portugueseWith.test(rest))) return false;
  if (hasBlankAfter) return isSpacedLink(name, ending, rest);
  const isNextSentence = isCapital(text) && !(sure.has(ending) && isCapital(label));
  if (isNextSentence || lastWords.has(label.toLowerCase())) return false;
  if (sure.has(ending)) return !hasBlankBefore || ending !== 'net' || label.length > 4;
  const isUnlikeWords = /[\d-]./.test(label) || /[\p{L}\p{N}]\.$/u.test(before);
  if (isUnlikeWords) return /\p{L}/u.test(label);
  if (functionWords.has(ending)) return pointer.test(before) || label.length > 8;
  return label.length >= (shortWords.has(ending) ? 5 : 3);
}

const addresses = [
  /\bh(?:tt|xx)ps?:|:\/\/|\bwww\b/i,
  // A comma, star or word in place of the full stop, before endings that are not words.
  /[\p{L}\p{N}](?: ?[*•·∙] ?|_|,)(?:com|net|org|info|ru)(?![\p{L}\p{N}])(?! (?:o|a|os|as|um|uma|voce|queijo|certeza)(?!\p{L}))/iu,
  /[\p{L}\p{N}][ _-]?(?:dot|d0t)[ _-]?(?:com|net|org|info|biz|xyz|me|app|club|live|online|site|shop|ru|cn|de|uk)\b/iu,
  /\b(?:punto|ponto|point|punkt|punt|kropka|nokta|tecka|pont|piste|punct) (?:com|net|org|info|xyz)\b/i,
  /\bpunkt (?:de|at|ch)\b|\bpunt (?:nl|be)\b|\bpunto it\b|\bpoint fr\b|\bkropka pl\b|\bnokta tr\b|\bponto br\b/i,
  /точка (?:ру|ком|рф|нет|ru|com|net)|крапка (?:ком|юа|ua|com)/i,
  /点 ?(?:com|cn|net)|點 ?(?:com|tw)|ドット ?(?:コム|com|jp|net)|닷 ?(?:컴|com|넷)|점 ?com/i,
  /(?:دوت|نقطه) ?(?:كوم|كام|نت|com|net)|डॉट ?(?:कॉम|इन|com|in)|נקודה (?:קום|com)/i,
];

/** Whether a normalised text, with its capitals, contains a web address, plain or disguised. */
export function hasLink(read: string): boolean {
  if (addresses.some((pattern) => pattern.test(read))) return true;
  for (const match of read.matchAll(dotted)) {
    const [whole, blankBefore, blankAfter, text = '', path] = match;
    const start = read.slice(Math.max(0, match.index - longestLabel), match.index);
    const label = lastLabel.exec(start)?.[0] ?? '';
    if (path && !blankAfter && !blankBefore) return true;
    const before = start.slice(0, start.length - label.length);
    const name = { label, text, before, hasBlankBefore: blankBefore !== '', hasBlankAfter: blankAfter !== '' };
    if (isLinkTo(name, text.toLowerCase(), read.slice(match.index + whole.length).slice(0, 24))) return true;
  }
  return false;
}
