/** Numbers that are not telephone numbers although they have many digits. */
const ordinaryNumbers = [
  // Dates: 12/05/2027, 3.11.26, 17. 11. 2026, 25/6 2027, 2027-01-16 and 1406/02/22.
  /(?<![\d+]|\d[./-])(?:0?[1-9]|[12]\d|3[01])[./-] ?(?:0?[1-9]|1[0-2])(?:[./-] ?| )(?:(?:19|20|25)\d\d|\d\d)(?![./-]?\d)/g,
  /(?<![\d+]|\d[./-])(?:1[3-9]|2[05])\d\d[./-] ?(?:0?[1-9]|1[0-2])[./-] ?(?:0?[1-9]|[12]\d|3[01])(?![./-]?\d)/g,
  /(?<![\d+]|\d[./-])(?:0[1-9]|[12]\d|3[01]) (?:0[1-9]|1[0-2]) (?:19|20)\d\d(?! ?\d)/g,
  // Ranges of years.
  /(?<![\d+])(?:1[89]|20)\d\d ?[-/] ?(?:(?:1[89]|20)\d\d|\d\d)(?![-/]?\d)/g,
  // Times: 19.30 and 2:03:45.
  /(?<![\d+]|\d[.:/-])(?:[01]?\d|2[0-3])[.:][0-5]\d(?::[0-5]\d)?(?![.:/-]?\d)/g,
  // Results of games: 6-4.
  /(?<![\d+]|\d[./-])\d{1,2}-\d{1,2}(?![./-]?\d)/g,
  // Thousands and millions: 10 000 000, 8,100,000,000, 3.700.000, 2 962 345 and 22000000.
  /(?<![\d+]|\d[ .,/-])[1-9]\d{0,2}(?:[,']\d{3}){1,5}(?!\d|[,'./-]\d)/g,
  /(?<![\d+]|\d[ .,/-])[1-9]\d{0,2}(?:[ .]\d{3}){0,4}[ .]000(?![ .,/-]?\d)/g,
  /(?<![\d+]|\d[ .,/-])[1-9][ .]\d{3}[ .]\d{3}(?![ .,/-]?\d)/g,
  /(?<![\d+])[1-9]\d{0,3}0{5,9}(?!\d)/g,
  // Amounts of money: $ 1234567.
  /(?<=[$€£₹¥₽₺₩] ?)\d{1,9}(?:[.,]\d{1,3})?(?!\d)/g,
];

/** Seven digits or more, with any separators. */
const manyDigits = /\d(?:[ ().\-_/*~+]{0,3}\d){6}/;

// Digits and the other parts of spoken numbers in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
// Russian, Ukrainian, Turkish, Arabic and Hindi.
const spoken = new Set(
  `zero nought oh one two three four five six seven eight nine double triple twenty thirty forty fifty sixty seventy
  eighty ninety hundred null eins zwei zwo drei vier funf sechs sieben acht neun un deux trois quatre cinq sept huit
  neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante vingts cero uno dos tres
  cuatro cinco seis siete ocho nueve um dois quatro meia sete oito nove due tre quattro cinque sei sette otto nul een
  twee drie vijf zes zeven negen jeden dwa trzy cztery piec szesc siedem osiem dziewiec ноль нуль один два три четыре
  пять шесть семь восемь девять сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот двадцать
  тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто чотири шість сім вісім дев'ять sifir bir iki uc
  dort bes alti yedi sekiz dokuz صفر واحد اثنان اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة शून्य एक दो तीन चार पांच पाँच छह
  छः सात आठ नौ`.split(/\s+/),
);
const spokenLeast = 5;
const spokenAcrossCommas = 8;
const partOfNumber = /[\p{L}\p{M}']+|\d+|[^\p{L}\p{M}\d' -]/gu;

/** Whether a number is spelled out in words, or in words and digits: five in a row, or eight with commas in between. */
function isSpelledOut(read: string): boolean {
  let inRow = 0;
  let acrossCommas = 0;
  let words = 0;
  for (const [part] of read.matchAll(partOfNumber)) {
    const isWord = spoken.has(part);
    if (isWord || /^\d{1,4}$/.test(part)) {
      words += isWord ? 1 : 0;
      inRow += isWord ? 1 : part.length;
      acrossCommas += isWord ? 1 : part.length;
    } else {
      inRow = 0;
      if (part !== ',') acrossCommas = words = 0;
    }
    if (words >= 3 && (inRow >= spokenLeast || acrossCommas >= spokenAcrossCommas)) return true;
  }
  return false;
}

const chineseNumber = /[零〇一二三四五六七八九幺]{7}/;

/**
 * Whether a lower-case text contains a telephone number in any spelling. Dates, times, results, amounts and large round numbers don't
 * count.
 */
export function hasPhoneNumber(read: string): boolean {
  // The letter o as a zero, as in o77oo.
  const digits = read.replaceAll(/(?<=\d)o{1,3}(?![a-z])|(?<![a-z])o{1,3}(?=\d)/g, (zeros) => '0'.repeat(zeros.length));
  if (manyDigits.test(ordinaryNumbers.reduce((text, pattern) => text.replaceAll(pattern, '#'), digits))) return true;
  return chineseNumber.test(read) || isSpelledOut(read);
}
