import { plain, readings, topicReader } from '#contract/readable.ts';

const readTopics = topicReader({
  // Names of other services, as they are written in many languages, and requests to continue there.
  service: `whatsapp-|whats app|whatsap-|watsap-|watsup|wazzap-|whatapp-|wa.me|wasap-|guasap-|wassap-|wattsap-|
    no whats|pelo whats|meu whats|seu whats|teu whats|no zap|meu zap|seu zap|pelo zap|zapzap|wpp|ватсап-|
    вотсап-|вацап-|ватцап-|уотсап-|вайбер-|вибер-|телеграм-|телеграмм-|телега|телегу|телеге|телеги|в тг|
    инстаграм-|инста|инсту|инсте|инсты|вконтакте|в вк|скайп-|снапчат-|telegram-|tele gram-|teiegram-|my tele|
    on tele|snapchat-|snap chat|my snap|your snap|on snap|snap me|snap name|sur snap|mon snap|mi snap|
    meu snap|instagram|instagrams|insta|the gram|my ig|your ig|on ig|kik|wechat-|weixin|viber-|skype|line id|
    my line id|line app|onlyfans|only fans|fansly|discord|facebook messenger|fb messenger|on messenger|
    sur messenger|per messenger|per facebook|on facebook|google chat|gchat|hangouts|kakao-|zangi|wickr|
    threema|textnow|on signal|use signal|via signal|my signal|auf signal|sur signal|su signal|en signal|
    por signal|op signal|na signal-|signal app|session app|on imo|my sc|on qq|qq|bip hesab-|واتساب|واتس اب|
    واتس آب|واتسآب|وتساب|تلغرام|تليجرام|تليغرام|تلجرام|تلگرام|انستغرام|انستقرام|انستا|اینستا|سناب|סנאפ|
    וואטסאפ|ווצאפ|ווטסאפ|טלגרם|אינסטגרם|व्हाट्सएप|व्हाट्सऐप|वॉट्सऐप|वाट्सएप|व्हाट्सअप|टेलीग्राम|इंस्टाग्राम|
    इंस्टा|微信|薇信|威信|加微|微我|v信|加v|加q|qq号|扣扣|飞机号|电报|電報|ラインid|ラインのid|ライン交換|ラインで|line交換|lineで|lineのid|lineを|lineの|
    カカオのid|カカオid|テレグラム|ワッツアップ|カカオトーク|카톡|카카오톡|라인 아이디|라인 id|텔레그램|텔레로|인스타|왓츠앱|위챗|ไลน์|ไอดีไลน์|วอทส์แอป|เทเลแกรม|
    zalo`,
  // The writer's or the reader's number or address.
  number: `my number is|here is my number|this is my number|my phone number|my cell|my cell number|my mobile number|
    my phone is|my digits|your phone number|your cell|your digits|give me your number|send me your number|
    drop your number|have your number|get your number|share your number|send your number|leave your number|
    exchange numbers|swap numbers|ur number|your email|my email|your mail address|off this app|off the app|
    outside this app|outside the app|off this site|deine nummer|meine nummer|deine handynummer|
    deine telefonnummer|meine handynummer|mon numéro|ton numéro|votre numéro|mon num|ton num|ton 06|tu número|
    mi número|tu teléfono|tu celular|seu número|teu número|meu número|teu telemóvel|il tuo numero|
    il mio numero|tuo numero|mio numero|je nummer|jouw nummer|mijn nummer|mój numer|swój numer|twój numer|
    numer telefonu|swoj numer-|moje číslo|tvoje číslo|své číslo|ditt nummer|mitt nummer|dit nummer|mit nummer|
    numeroni|numerosi|numărul meu|numărul tău|a számom|a számod|мой номер|мой тел|твой номер|свой номер|
    ваш номер|номерок|номер телефона|мій номер|твій номер|свій номер|numaram|numaram-|numaranı-|numaran|
    telefon numara-|رقمي|رقمك|رقم هاتفك|رقم هاتفي|رقم جوالك|شماره من|شماره ات|شماره‌ات|شمارتو|شماره تلفن|
    המספר שלי|המספר שלך|מספר טלפון|मेरा नंबर|अपना नंबर|तुम्हारा नंबर|आपका नंबर|फोन नंबर|mera number|
    apna number|aapka number|手机号|电话号码|你的电话|我的电话|你的号码|我的号码|我手机|我电话|電話番号|携帯番号|携帯の番号|連絡先|전화번호|제 번호|번호 알려|번호 주|
    번호 좀|번호 교환|เบอร์โทร|เบอร์คุณ|số điện thoại|nomor hp|nomor wa|nomorku|nomormu`,
  // Mail providers.
  mail: `gmail|gmail.com|googlemail|hotmail|outlook.com|outlook com|yahoo.com|yahoo com|icloud|protonmail|my gmail|
    gmx|web.de|mail.ru|yandex ru|arobase|arroba|klammeraffe|apenstaartje|собака gmail|email me|e-mail me|
    mail me`,
});

const patterns = [
  /[\w+-]@[\w-]+\.[a-z]{2}/,
  // A handle: after an at sign, with an underscore, with a number sign, or after a service.
  /(?<!\S)@(?=\w{0,30}[\d_.]\w|\w{6})[a-z]/,
  /[a-z\d]{2}_[a-z\d]{2}/,
  /[a-z]#\d{4}(?!\d)/,
  /(?<![a-z])(?:signal|telegram|tg|ig|insta|snap|sc|wa|kik|line|vx|fb|тг|вк|инст) ?[:=@]+ ?@?[\w.+]/,
  /(?<![a-z])(?:id|アイディ|아이디) ?(?:is|は|:)? ?[a-z]{3,20}\d/,
  /(?<![a-z])(?:add|follow) me (?:on|at) (?!mon|tue|wed|thu|fri|sat|sun|the |my |your )|hit me up (?:on|at) /,
  /(?<![a-z])what(?:'s| is) your (?:phone |cell |mobile )?(?:number|digits)(?! (?:one|1|of))/,
  /(?<![a-z])what'?s app (?:is|me|number|please|only)/,
  // "Join us", "instant" and "photogenic" begin or end like names of services.
  /(?<![参參更])加我|インスタ(?!映え|ント|レーション)/,
  /(?<![a-z])(?:bel|app|appe) me (?:maar |even )?(?:op|via) \d/,
];

/** Whether a normalised lower-case text mentions another way of contact: a number, an address, a handle or a service. */
export const hasContact = (read: string) =>
  hasPhoneNumber(read) ||
  patterns.some((pattern) => pattern.test(read)) ||
  readings(read).some((reading) => readTopics(reading).size > 0);

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
  plain(`zero nought oh one two three four five six seven eight nine double triple twenty thirty forty fifty sixty seventy
  eighty ninety hundred null eins zwei zwo drei vier funf sechs sieben acht neun un deux trois quatre cinq sept huit
  neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante vingts cero uno dos tres
  cuatro cinco seis siete ocho nueve um dois quatro meia sete oito nove due tre quattro cinque sei sette otto nul een
  twee drie vijf zes zeven negen jeden dwa trzy cztery piec szesc siedem osiem dziewiec ноль нуль один два три четыре
  пять шесть семь восемь девять сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот двадцать
  тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто чотири шість сім вісім дев'ять sifir bir iki uc
  dort bes alti yedi sekiz dokuz صفر واحد اثنان اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة शून्य एक दो तीन चार पांच पाँच छह
  छः सात आठ नौ`).split(' '),
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
function hasPhoneNumber(read: string): boolean {
  // The letter o as a zero, as in o77oo.
  const digits = read.replaceAll(/(?<=\d)o{1,3}(?![a-z])|(?<![a-z])o{1,3}(?=\d)/g, (zeros) => '0'.repeat(zeros.length));
  if (manyDigits.test(ordinaryNumbers.reduce((text, pattern) => text.replaceAll(pattern, '#'), digits))) return true;
  return chineseNumber.test(read) || isSpelledOut(read);
}
