import {
  ar,
  base,
  de,
  el,
  en,
  en_AU,
  en_IN,
  en_NG,
  es,
  Faker,
  fr,
  he,
  hu,
  it,
  ja,
  ko,
  type LocaleDefinition,
  pl,
  pt_PT,
  ro,
  ru,
  sv,
  tr,
  uk,
  zh_CN,
} from '@faker-js/faker';
import type { Random } from '../random.ts';
import type { DemoGender, DemoMember, Origin } from './demo-member.ts';

/** Names as in a large city, weighted by frequency, with where people of these names mostly come from. Names of `en` are older and rarer than those of `en_AU`. */
const locales: readonly (readonly [weight: number, locale: LocaleDefinition, origin: Origin | null])[] = [
  [38, en_AU, null],
  [8, en, null],
  [9, en_IN, 'south-asia'],
  [6, en_NG, 'africa'],
  [5, pl, 'europe'],
  [4, fr, 'europe'],
  [3, de, 'europe'],
  [3, it, 'europe'],
  [3, es, 'europe'],
  [2, pt_PT, 'europe'],
  [2, ro, 'europe'],
  [2, tr, 'middle-east'],
  [2, sv, 'europe'],
  [1, hu, 'europe'],
  [2, el, 'europe'],
  [2, ru, 'europe'],
  [2, uk, 'europe'],
  [2, ar, 'middle-east'],
  [1, he, 'middle-east'],
  [2, zh_CN, 'east-asia'],
  [1, ja, 'east-asia'],
  [1, ko, 'east-asia'],
];

/** Creates a Faker with a member's generator, because Faker draws from the current one. */
let current: Random;
const randomizer = { next: () => current.next(), seed: () => undefined };
const fakers = locales.map(
  ([weight, locale, origin]) => [weight, { faker: new Faker({ locale: [locale, base], randomizer }), origin }] as const,
);
const english = new Faker({ locale: [en, base], randomizer });

/** Domains that can never exist (RFC 2606). */
const demoDomains = [
  'mail.test',
  'post.test',
  'letterbox.test',
  'inbox.test',
  'webmail.test',
  'courrier.test',
  'correo.test',
  'pochta.test',
] as const;

/** The names and the e-mail address of member `number`, which ends in a unique number, and the looks that fit the names. */
export function drawName(
  number: number,
  random: Random,
  gender: DemoGender | null,
): { firstName: string; lastName: string | null; email: string; looks: DemoMember['looks'] } {
  current = random;
  const { faker, origin } = random.weighted(fakers);
  const sex = gender === 'woman' || (gender !== 'man' && random.chance(0.5)) ? 'female' : 'male';
  const firstName = faker.person.firstName(sex);
  const lastName = random.chance(0.015) ? null : faker.person.lastName(sex);
  // Transliterates other scripts, accents too.
  const latin = faker.internet.username({ firstName, lastName: lastName ?? firstName });
  const [first = ''] = latin
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
  const last = (lastName ?? '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  const name = [first || 'member', last].filter((part) => part !== '').join(random.pick(['.', '_', '']));
  return {
    firstName,
    lastName,
    email: `${name.slice(0, 40)}.${ownDigits(number)}@${random.pick(demoDomains)}`,
    looks: { gender: sex === 'female' ? 'woman' : 'man', origin },
  };
}

/** The numbers below 1,000 in another order, because addresses that count upwards would look fake. */
function ownDigits(number: number): number {
  return number < 1000 ? (number * 367 + 41) % 1000 : number;
}

const jobs = [
  'By day a spreadsheet, by night {{music.genre}}.',
  'Teacher. I grade on Sundays, so keep me company on Saturdays.',
  'Nurse, mostly nights, so breakfast is my dinner.',
  'Civil engineer. Ask me about bridges and bring a chair.',
  'Carpenter. Everything in my kitchen is slightly taller than it should be.',
  'Freelance translator: I work in cafés and know which ones have plugs.',
];
const pastimes = [
  'I cook a decent {{food.dish}} and burn most other things.',
  'Currently reading {{book.title}}, again.',
  'My {{animal.dog}}, {{animal.petName}}, makes all the decisions here.',
  'I repair old bicycles and ride a {{vehicle.bicycle}} that needs it most.',
  'New in town, and still looking for the best {{food.ethnicCategory}} kitchen.',
  'I once drove across {{location.country}} with {{food.fruit}} jam for company.',
  'I swim outdoors from {{date.month}} until someone stops me.',
  'I can name every {{animal.bird}} by its song, or at least pretend to.',
  'Half of my week is meetings, the other half is {{food.vegetable}} on the allotment.',
  'I draw maps of places that do not exist and get lost in those that do.',
];
const closers = [
  'Tell me about the last book that kept you awake.',
  'Looking for someone to share {{food.dish}} and long walks with.',
  'Bonus points if {{music.artist}} is on your playlist.',
  'Let’s skip small talk and argue about {{food.spice}}.',
  'Free on {{date.weekday}} evenings, and for good reasons on others.',
  'I would rather laugh than look cool.',
  'Patient, curious, terrible at {{music.genre}} dancing.',
  'My next journey goes to {{location.country}}. Recommendations welcome.',
  'If you like {{book.author}}, we will get along.',
  'Kind people only, please. Funny helps.',
];

/** A short bio. */
export function drawBio(random: Random): string {
  current = random;
  const sentences = [random.pick([...jobs, ...pastimes]), random.pick(pastimes), random.pick(closers)];
  const chosen = [...new Set(sentences.slice(random.below(2)))].map((sentence) => english.helpers.fake(sentence));
  const emoji = random.chance(0.15) ? [english.internet.emoji({ types: ['food', 'nature', 'activity'] })] : [];
  return [...chosen, ...emoji].join(' ');
}
