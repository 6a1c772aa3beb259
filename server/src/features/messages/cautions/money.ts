import { areNear, topicReader } from './lexicon.ts';
import { moneyWords } from './money-words.ts';
import { readings } from './reading.ts';

const readTopics = topicReader(moneyWords, [
  [
    'sum',
    /[$€£₹¥₽₺₩₪] ?\d|\d ?k? ?(?:[$€£₹¥₽₺₩₪元円원]|万円|천만|만 ?원|块|(?:dollar|euro|pound|usd|eur|gbp|bucks|quid|reais|real|pesos?|soles|zl|lir|tl|rub|руб|грн|грив|долл|евро|dolar|دولار|ريال|درهم|جنيه|يورو|लाख|रुपये|हजार))|[一二两三四五六七八九十百千万]{1,6}(?:块|元)/g,
  ],
  [
    'hundreds',
    /\d{3}|\d[.,]\d{3}|\d ?k\b|\d ?(?:mil|thousand|tausend|mila|tys|тыс|bin|千|万)|\bthousands\b|[两三四五六七八九百千万]{2,6}/g,
  ],
  ['percent', /\d ?%/g],
]);
type Topic = ReturnType<typeof readTopics> extends ReadonlyMap<infer Key, unknown> ? Key : never;

/** Topics that are enough on their own. */
const plainly: Topic[] = ['crypto', 'service', 'sugar', 'verification', 'promise'];

/** Topics that together are a request for money or an offer of it. */
const together: [Topic, ...Topic[]][] = [
  ['lend', 'money'],
  ['lend', 'sum'],
  ['give', 'money'],
  ['give', 'sum'],
  ['need', 'money'],
  ['need', 'hundreds', 'journey'],
  ['need', 'hundreds', 'trouble'],
  ['need', 'hundreds', 'customs'],
  ['help', 'sum'],
  ['help', 'money'],
  ['help', 'trouble'],
  ['pay', 'customs'],
  ['parcel', 'customs'],
  ['pay', 'parcel'],
  ['pay', 'trouble'],
  ['pay', 'deposit'],
  ['deposit', 'give'],
  ['invest', 'hundreds'],
  ['invest', 'profit'],
  ['invest', 'teach'],
  ['invest', 'money'],
  ['earn', 'hundreds'],
  ['earn', 'percent'],
  ['earn', 'teach'],
  ['earn', 'invest'],
  ['profit', 'hundreds'],
  ['code', 'tell'],
  ['pictures', 'sum', 'private'],
  ['pictures', 'sum', 'pay'],
  ['fortune', 'pay'],
  ['fortune', 'give'],
  ['fortune', 'help'],
  ['fortune', 'trouble'],
  ['offer', 'hundreds'],
  ['offer', 'percent'],
];

const patterns = [
  /\b(?:bc1|0x)[a-z0-9]{20,}\b/,
  /\b(?:send|lend|borrow|transfer|wire)\b.{0,30}(?:\bmoney\b|\bcash\b|\bfunds?\b|[$€£] ?\d|\d ?(?:[$€£]|(?:dollars|euros?|pounds|usd|eur)\b))/,
  /\bi need \d{2,5} (?:for|to)\b/,
  // Matches "Put in 500 and get 5000 back" and "turned $200 into $10k".
  /\b(?:put in |turn(?:s|ed)? |from [$€£])[$€£]?\d[\d.,]{1,9}k? .{0,20}[$€£]?\d[\d.,]{1,9}k?\b/,
];

/** A Bitcoin address, in which capitals matter. */
const wallet = /\b[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b/;

function says(read: string): boolean {
  const topics = readTopics(read);
  return plainly.some((topic) => topics.has(topic)) || together.some((pair) => areNear(topics, ...pair));
}

/** Whether a normalised text asks for money or codes, or offers easy money. */
export function asksForMoney(read: string): boolean {
  const lower = read.toLowerCase();
  return wallet.test(read) || patterns.some((pattern) => pattern.test(lower)) || readings(lower).some(says);
}
