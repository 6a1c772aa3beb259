import { describe, expect, test } from 'vitest';
import { heldOut, known, type LabelledMessage } from '../../../test/cautions/labelled.ts';
import { cautionFor } from './caution.ts';

const money = [
  'I made 3000 a week with crypto trading, I can show you',
  'Could you send me 200 dollars? I will pay back on Monday',
  'Please buy me an Apple gift card, I cannot get to a shop',
  'My uncle at the bank says invest now, daily profit is sure',
  'Send the money by Western Union, it is the fastest',
  'I need some cash for the ticket to come and see you',
  'My wallet: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'just 0x52908400098527886E0F7030069857D2E4169EE7 for the ETH',
  'You can lend me €300 until my salary comes?',
  'please send me 200 € and I come on Friday',
  'use my PayPal, it is safe',
  'I trade bitcoin for a living, want to learn',
  'steam card of 50 would help my little brother',
  'guaranteed returns, I promise, no risk',
  'Do you have Cash App?',
  'My account is frozen, can you do a bank transfer for me',
  'a new investment platform, double your savings',
  'I have to transfer funds out of the country',
];
const contacts = [
  'Text me on 0601 234 567',
  'whatsapp is easier, +44 7911 123456',
  'add me on telegram @lovelyrose88',
  'my snap is rosie_x',
  'find me on insta: rosie.day',
  'kik me, same name',
  'write to rosie.day@mail.com',
  'six zero one, two three four... no: six zero one two three four five',
  'call me at (202) 555-0143',
  'I am hardly here, reach me on Signal',
  'WhatsÀpp me'.normalize('NFC').replace('À', 'a'),
  'wh\u200batsapp +1 202 555 0143',
  'mail me: rosie (at) mail (dot) com',
  '７９１１ １２３ ４５６ is my number',
  'my wechat is rosie2024',
  'zero seven seven double oh nine, ring me',
  '\u0660\u0667\u0667\u0660\u0660\u0669\u0660\u0661\u0662\u0663 after six',
  'Wh\u0430tsApp is better for me',
  'signal: rosie.77',
  'let us go to Hangouts',
  'Viber? 420-601-234-567',
];
const links = [
  'look at my pictures www.rosie-pics.com',
  'https://bit.ly/3xYz12',
  'http://dating-verify.xyz please verify',
  'register at safe-date . com first',
  'go to meetsafe dot com and sign up',
  'my page is rosie.club',
  'www rosie com has them all',
  'they are on rosie,com',
  'see heartrose.zip',
  'verify yourself at trust-id[.]com'.replace('[.]', '.'),
  't.me/rosie',
  'see rosie.online for more',
  'mywebcam.live tonight',
  'vote for me at contest.info',
  'I wrote it on rosie.io/about',
  'hxxp does not work, so example.net/login',
  'photos: photos.app/rosie',
  'check hot-girls.ru',
  'the club is at vip.dating',
  'h\u202at\u2066tps\u2069:\u202c//rosie',
  'rosie.\u061cclub is mine',
];

const openers = ['Hi!', 'Hello there,', 'Good evening.', 'So,', 'Well…'];
const harmless = [
  'your picture at the lake made me smile',
  'do you really bake bread at 5 in the morning?',
  'I have two cats and one very old dog',
  'Привет, как прошёл твой день?',
  'I signed up for one line of work and got three',
  'yes,to be honest I liked it, so on we go',
  'the café costs 3 € and the walk is free',
  'shall we meet at 7.30 at the café by the bridge?',
  'I moved here in 2019 and never left',
  'my sister is 34, she says hi to your dog',
  'I ran 10 km today and regret 9 of them',
  'coffee is 3 euros there, which is a crime',
  'what is the last book you could not put down?',
  'I work shifts, so the weekend is a lottery',
  'no money in the world would get me on a roller coaster',
  'I call my grandmother every Sunday',
  'my phone died at the concert, of course',
  'the film begins at 20:15, we could eat first',
  'I love the smell of rain. And of old books.',
  'my team lost 3:2 after extra time',
  'I bank on the weather being kind on Saturday',
  'how was Lisbon? I was there from 12 to 19 May 2024',
  'I read about 30 pages and fell asleep',
  'it snapped in half, the good umbrella',
  'I am at number 12, third floor, no lift',
  'let us see whether we can stand each other for 90 minutes',
  'my ex kept the sofa, I kept the plants',
  'do you dance? I have been told I sway',
  'I would rather text than phone, if I am honest',
  'five, six, seven: that is how many plants I have killed',
  'I cook for one at the moment.Do you?',
  'I teach maths to 13 year olds. Pray for me.',
  'the market on Saturday has the best peaches',
  'I signed up last week, you are my first message',
  'my line of work is bridges',
  'Are you a morning person?',
  'we both picked "never" for smoking, well done us',
  'the trading town my family is from is tiny',
  'what would your friends warn me about?',
  'I invested in good shoes and now I walk everywhere',
  'I need a holiday, not a plan',
  'an app told me to drink water, so I do',
  'tea or coffee, and how strong?',
  'see you on the 14th then, at noon',
].flatMap((text) => openers.map((opener) => `${opener} ${text}`));

/** The messages that were judged wrongly, as lines for the failure message. Any kind of warning is right for a scam. */
const wrongOnes = (messages: LabelledMessage[]) =>
  messages
    .map((message) => ({ ...message, given: cautionFor(message.text) }))
    .filter(({ caution, given }) => (caution === null) !== (given === null))
    .map(({ language, kind, caution, given, text }) => `${language}, ${kind}: "${text}" (${caution}) got ${given}`);

describe.each([
  ['messages that the patterns were written with', known],
  ['messages held out from writing the patterns', heldOut],
])('the warnings for labelled first messages: %s', (_, messages) => {
  const ordinary = messages.filter(({ caution }) => caution === null);
  const scams = messages.filter(({ caution }) => caution !== null);

  test('appear wrongly for at most 2 % of ordinary messages', () => {
    const wrong = wrongOnes(ordinary);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(0.02 * ordinary.length);
  });

  test('appear for at least 90 % of scams', () => {
    const missed = wrongOnes(scams);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(0.1 * scams.length);
  });
});

test('the labelled messages are numerous, different, and in many languages', () => {
  const all = [...known, ...heldOut];
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  expect(all.filter(({ caution }) => caution === null).length).toBeGreaterThanOrEqual(210);
  expect(all.filter(({ caution }) => caution !== null).length).toBeGreaterThanOrEqual(210);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(15);
});

describe('the message warnings', () => {
  test.each([
    ['money', money],
    ['contact', contacts],
    ['link', links],
  ] as const)('appear for every example: %s', (_, texts) => {
    expect(texts.filter((text) => cautionFor(text) === null)).toEqual([]);
  });

  test('appear for more than fifty bad texts and hardly any ordinary ones', () => {
    expect([...money, ...contacts, ...links].length).toBeGreaterThanOrEqual(50);
    expect(harmless.length).toBeGreaterThanOrEqual(200);
    const wrong = harmless.filter((text) => cautionFor(text) !== null);
    expect(wrong.length, wrong.join(' | ')).toBeLessThanOrEqual(10);
  });
});
