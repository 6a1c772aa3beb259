import { describe, expect, it } from 'vitest';
import {
  emailSchema,
  hasAddress,
  hasAtSign,
  nameText,
  personNameText,
  queryInteger,
  readableAddress,
  trimmedText,
  visibleLength,
} from './text.ts';

const marks = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('text direction marks', () => {
  it.each(marks)('are removed from members’ texts (case %#)', (mark) => {
    expect(trimmedText(1, 20).parse(`${mark} moc.knab${mark} `)).toBe('moc.knab');
    expect(trimmedText(1, 20).safeParse(mark).success).toBe(false);
  });

  it.each(marks)('are rejected in names (case %#)', (mark) => {
    expect(nameText(1, 20).safeParse(`Um${mark}eå`).success).toBe(false);
    expect(personNameText(1, 20).safeParse(`Ad${mark}a`).success).toBe(false);
  });

  it('are not needed to write right-to-left languages', () => {
    expect(trimmedText(1, 20).parse('שלום, 31')).toBe('שלום, 31');
    expect(trimmedText(1, 20).parse('א\u200f.')).toBe('א\u200f.');
  });
});

describe('hidden characters', () => {
  it.each([
    ['a soft hyphen', '\u00ad'],
    ['a zero-width space', '\u200b'],
    ['a word joiner', '\u2060'],
    ['an invisible plus', '\u2064'],
    ['a byte order mark', '\ufeff'],
    ['an annotation', '\ufff9'],
    ['a tag', '\u{e0041}'],
    ['musical formatting', '\u{1d173}'],
    ['a variation selector', '\ufe01'],
    ['an emoji selector outside emoji', '\ufe0f'],
    ['a variation selector of ideographs', '\u{e0101}'],
  ])('are removed from texts and names: %s', (_, mark) => {
    expect(trimmedText(1, 20).parse(`${mark}Call ba${mark}ck${mark}`)).toBe('Call back');
    expect(nameText(1, 20).parse(`${mark}Call ba${mark}ck${mark}`)).toBe('Call back');
    expect(trimmedText(20, 30).safeParse(`A scam${mark.repeat(20)}`).success).toBe(false);
  });

  it.each([
    ['joiners of emoji and scripts', 'a 👩\u200d🚀 با\u200cهم'],
    ['selectors in emoji', 'I \u2764\ufe0f 1\ufe0f\u20e3 \u2764\ufe0f\u200d🔥 \u260e\ufe0e'],
    ['the flag of a region', 'a \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} b'],
  ])('are kept where writing needs them: %s', (_, text) => {
    expect(trimmedText(1, 40).parse(text)).toBe(text);
    expect(nameText(1, 40).parse(text)).toBe(text);
  });
});

describe('a minimum length', () => {
  it.each([
    ['combining joiners', `a${'\u034f'.repeat(25)}b`],
    ['zero-width joiners', `a${'\u200c'.repeat(25)}b`],
    ['emoji selectors', `1${'\ufe0f'.repeat(25)}2`],
    ['accents', `a${'\u0301'.repeat(25)}b`],
    ['empty letters', `a${'\u3164'.repeat(25)}b`],
    ['spaces', `a${' '.repeat(25)}b`],
    ['spaces between hidden characters', `a${' \u034f'.repeat(25)}b`],
    ['line breaks', `a${'\n'.repeat(25)}b`],
  ])('is not reached by %s', (_, text) => {
    expect(
      trimmedText(20, 100)
        .safeParse(text)
        .error?.issues.map(({ message }) => message),
    ).toEqual(['Use at least 20 characters']);
  });

  it('counts letters, digits, punctuation, symbols and the spaces between words', () => {
    expect(visibleLength('Ab 12, \u2764\ufe0f  für')).toBe(12);
    expect(trimmedText(20, 100).safeParse('Sent a link, 3 times').success).toBe(true);
  });
});

describe('hasAddress', () => {
  it.each([
    'ann@post.test',
    'mail ann@post for it',
    'ann＠post.test',
    'ann﹫post.test',
    'ann%40post.test',
    'ann％４０post.test',
    'ann%2540post.test',
    'ann%4\u200c0post.test',
  ])('finds the address in %s', (text) => {
    expect(hasAddress(text)).toBe(true);
  });

  it.each(['', '@', 'ann', '@post.test', 'ann@', 'Ann @ Lund', '100% 40 years'])('finds no address in "%s"', (text) => {
    expect(hasAddress(text)).toBe(false);
  });
});

describe('emailSchema', () => {
  it.each([
    ['a&b@example.com', 'a&b@example.com'],
    ["d'arcy=/!#$%*?^{|}~`+_-@example.com", "d'arcy=/!#$%*?^{|}~`+_-@example.com"],
    [' Ann.Lee@Example.COM ', 'ann.lee@example.com'],
    ['u@почта.рф', 'u@xn--80a1acny.xn--p1ai'],
    ['u@ПОЧТА.РФ', 'u@xn--80a1acny.xn--p1ai'],
    ['u@xn--80a1acny.xn--p1ai', 'u@xn--80a1acny.xn--p1ai'],
    ['info@bücher.example', 'info@xn--bcher-kva.example'],
    ['info@bu\u0308cher.example', 'info@xn--bcher-kva.example'],
    ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ['\u00a0ada@example.org\u2003\u3000', 'ada@example.org'],
    ['\ufeff\u200bada@example.org\u2060\u200d', 'ada@example.org'],
    ['\u200eada@example.org\u200f', 'ada@example.org'],
    ['u＠почта.рф', 'u@xn--80a1acny.xn--p1ai'],
    ['ada@example。org', 'ada@example.org'],
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ada@example.org'],
    ['mailto:Ada@example.org', 'ada@example.org'],
    ['MAILTO:ada@example.org?subject=Hello', 'ada@example.org'],
    ['Ada Lindqvist <ada@example.org>', 'ada@example.org'],
    ['"Lindqvist, Ada" <\u00a0mailto:ada@example.org >\u200e', 'ada@example.org'],
  ])('stores %s as %s', (typed, stored) => {
    expect(emailSchema.parse(typed)).toBe(stored);
  });

  it.each([
    '',
    '@',
    'a@',
    '@example.com',
    'example.com',
    'a@localhost',
    'a@@example.com',
    'a b@example.com',
    'Ada <ada@example.org> <bo@example.org>',
    'ada@example.org, bo@example.org',
    'mailto:',
    '<>',
    'a\u200b@example.com',
    'a,b@example.com',
    '"a b"@example.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@example..com',
    'a@.example.com',
    'a@example.com.',
    'a@-example.com',
    'a@example-.com',
    'a@exa_mple.com',
    'a@1.2.3.4',
    'a@0x7f.1',
    'a@[1.2.3.4]',
    'a@example.com/path',
    'a@example.com:25',
    'a@example.c',
    'почта@example.com',
    'a\n@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'ü'.repeat(63)}.com`,
    `a@${'b.'.repeat(130)}com`,
  ])('rejects %j', (typed) => {
    expect(emailSchema.safeParse(typed).success).toBe(false);
  });
});

describe('queryInteger', () => {
  it.each([
    ['30', 30],
    ['٣٠', 30],
    ['４０', 40],
    ['-۵', -5],
    ['३.५', null],
    ['', null],
    ['thirty', null],
  ])('reads %j', (given, number) => {
    expect(queryInteger(-10, 40).safeParse(given).data ?? null).toBe(number);
  });
});

describe('personNameText', () => {
  it.each([
    'S:t Erik',
    'Anne:Marie',
    "O'Brien",
    'Ma. Teresa',
    'Ștefania-Ana',
    'محمد',
    '👩‍👩‍👧',
    '<script>alert(1)</script>',
    'Jean.Paul',
    'J.R.R. Tolkien',
    'D’Arcy',
    'Mary-Jane',
    'Łukasz',
    'Zoë 2',
    '李小龍',
    '😀',
    '\u{1fadf}',
    '\ue000',
  ])('accepts %s', (name) => {
    expect(personNameText(1, 50).parse(name)).toBe(name);
  });

  it.each([
    'rosie.club',
    'Rosie.ly',
    'example.com',
    'EXAMPLE.COM',
    'a@b',
    'http://x',
    'www.x',
    'x:443',
    ':)',
    'tel:123',
    'call 0123',
    'parcel。help',
    'parcel-help．ｃｏｍ',
    '٠٦٧٧٠',
    'a\\b',
    'Lind\r\nBcc: x',
    'Li\u0007nd',
    ' ',
    '\u3164',
    '\u200b\u2060',
    '\u0301\u20dd\ufe0f',
    '\u{1d159}\u{13441}\u3164',
  ])('rejects "%s"', (name) => {
    expect(personNameText(1, 50).safeParse(name).success).toBe(false);
  });

  it('normalizes letters to their composed form', () => {
    expect(personNameText(1, 50).parse('Jose\u0301')).toBe('José');
  });
});

describe('readableAddress', () => {
  it.each([
    ['u@xn--80a1acny.xn--p1ai', 'u@почта.рф'],
    ['thuy@xn--mnchen-3ya.example', 'thuy@münchen.example'],
    ['info@xn--r8jz45g.xn--zckzah', 'info@例え.テスト'],
    ['info@sub.xn--fsqu00a.xn--fiqs8s', 'info@sub.例子.中国'],
    ['u@xn--mgbh0fb.xn--kgbechtv', 'u@مثال.إختبار'],
    ['ann@example.org', 'ann@example.org'],
    ['a•••@x•••.xn--p1ai', 'a•••@x•••.рф'],
    ['', ''],
  ])('shows %s as %s', (stored, shown) => {
    expect(readableAddress(stored)).toBe(shown);
  });

  it.each([
    ['a Cyrillic а among Latin letters', 'u@xn--pple-43d.com'],
    ['Cyrillic letters that all look Latin', 'u@xn--80ak6aa92e.com'],
    ['Greek among Latin letters', `u@${new URL('http://googlε.com').hostname}`],
    ['nothing that can be decoded', 'u@xn--a-ecp.ru'],
    ['more than Unicode has', 'u@xn--99999999.com'],
    ['no letters', 'u@xn--.com'],
  ])('keeps the ASCII form of a domain with %s', (_what, stored) => {
    expect(readableAddress(stored)).toBe(stored);
  });

  it.each([
    'почта.рф',
    'bücher.example',
    'пример.example',
    'ünïcödé-domäin.example',
    'ελληνικά.example',
    '한국어.example',
    'עברית.example',
  ])('keeps %s as it was typed', (domain) => {
    const stored = emailSchema.parse(`u@${domain}`);
    expect(stored).toMatch(/^[\x21-\x7e]+$/);
    expect(readableAddress(stored)).toBe(`u@${domain}`);
  });
});

describe('hasAtSign', () => {
  it.each([
    ['ada@heartwood.test', true],
    ['ada＠heartwood.test', true],
    ['ada﹫', true],
    ['Ada Lund', false],
  ])('%s: %s', (text, isOne) => {
    expect(hasAtSign(text)).toBe(isOne);
  });
});
