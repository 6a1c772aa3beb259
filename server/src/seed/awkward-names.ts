import type { DemoGender, DemoMember } from './demo-member.ts';
import { homeIn } from './home.ts';

/** A member that something must cope with: `change` says in what it differs from an ordinary one. */
export interface Awkward {
  what: string;
  change(now: Date): Partial<DemoMember>;
}

type Named = Pick<DemoMember, 'firstName' | 'lastName' | 'bio'> & { as: string; city: string; gender: DemoGender };

const named = (what: string, { as, city, ...person }: Named): Awkward => ({
  what,
  change: () => ({ ...person, genderText: null, email: `${as}@letterbox.test`, place: homeIn(city) }),
});

/** Names as people have them, and as some type them. */
export const awkwardNames: readonly Awkward[] = [
  named('names of 60 characters', {
    firstName: 'Wilhelmina-Konstantina Theodora Anastasia Philippa Maximilia',
    lastName: 'Featherstonehaugh-Cholmondeley von Hohenlohe und zu Langenau',
    as: 'wilhelmina.fc',
    gender: 'woman',
    city: 'Vienna',
    bio: 'Forms hate me. I answer to Mina.',
  }),
  named('one-letter name', {
    firstName: 'Q',
    lastName: null,
    as: 'q',
    gender: 'non-binary',
    city: 'Toronto',
    bio: 'Yes, that is the whole name.',
  }),
  named('no name at all', {
    firstName: null,
    lastName: null,
    as: 'nameless',
    gender: 'man',
    city: 'Lisbon',
    bio: null,
  }),
  named('name from right to left, Arabic', {
    firstName: 'عبد الرحمن',
    lastName: 'الزهراني',
    as: 'zahrani',
    gender: 'man',
    city: 'Jeddah',
    bio: 'أحب البحر ليلًا والقهوة صباحًا.',
  }),
  named('name from right to left, Hebrew', {
    firstName: 'שלומית',
    lastName: 'בן-דוד',
    as: 'shlomit',
    gender: 'woman',
    city: 'Haifa',
    bio: 'ספרים משומשים, חומוס ושיחה טובה.',
  }),
  named('both directions in one name', {
    firstName: 'Layla ليلى',
    lastName: 'Haddad',
    as: 'layla.haddad',
    gender: 'woman',
    city: 'Beirut',
    bio: 'Two alphabets, one temper. أهلًا!',
  }),
  named('name in Cyrillic', {
    firstName: 'Святослав',
    lastName: 'Воскресенский',
    as: 'svyatoslav',
    gender: 'man',
    city: 'Kazan',
    bio: 'Собираю старые карты и езжу по ним.',
  }),
  named('name in Greek', {
    firstName: 'Ευφροσύνη',
    lastName: 'Παπακωνσταντίνου',
    as: 'effie',
    gender: 'woman',
    city: 'Thessaloniki',
    bio: 'Πρωί θάλασσα, βράδυ σινεμά.',
  }),
  named('name in Devanagari', {
    firstName: 'श्रीनिवास',
    lastName: 'चट्टोपाध्याय',
    as: 'shrinivas',
    gender: 'man',
    city: 'Kolkata',
    bio: 'ट्राम, मिठाई और पुरानी किताबें।',
  }),
  named('name in Han', {
    firstName: '慕容',
    lastName: '雪',
    as: 'murong',
    gender: 'woman',
    city: 'Hangzhou',
    bio: '西湖边长大，喜欢下雪天。',
  }),
  named('name in Hangul', {
    firstName: '빛나라',
    lastName: '남궁',
    as: 'bitnara',
    gender: 'woman',
    city: 'Busan',
    bio: '바다 앞에 살아요. 같이 걸을래요?',
  }),
  named('name in kana', {
    firstName: 'ひろみ',
    lastName: 'タカハシ',
    as: 'hiromi',
    gender: 'non-binary',
    city: 'Kyoto',
    bio: '自転車と銭湯が好きです。',
  }),
  named('name in Thai', {
    firstName: 'กฤษฎา',
    lastName: 'ณ อยุธยา',
    as: 'kritsada',
    gender: 'man',
    city: 'Chiang Mai',
    bio: 'ปลูกกาแฟบนดอย ชวนมาชิมได้',
  }),
  named('accents as separate characters', {
    firstName: 'Zoe\u0308',
    lastName: 'Ame\u0301lie-Dvor\u030Ca\u0301k',
    as: 'zoe.dvorak',
    gender: 'woman',
    city: 'Brno',
    bio: 'My accents travel separately from my letters.',
  }),
  named('name with emoji', {
    firstName: 'Luna 🌙',
    lastName: '👩🏽‍🚀',
    as: 'luna.space',
    gender: 'woman',
    city: 'Houston',
    bio: '🌍→🌙→❓',
  }),
  named('name like markup', {
    firstName: '<script>alert(1)</script>',
    lastName: '<b>&amp;',
    as: 'angle.brackets',
    gender: 'man',
    city: 'Bengaluru',
    bio: '<img src=x onerror=alert(1)> is my idea of flirting.',
  }),
  named('apostrophe', {
    firstName: 'Siobhán',
    lastName: "O'Brien",
    as: 'siobhan.obrien',
    gender: 'woman',
    city: 'Cork',
    bio: "It's pronounced 'shi-VAWN', and that's the hard part over.",
  }),
  named('name like a formula', {
    firstName: "=cmd|' /C calc'!A0",
    lastName: '+1-1',
    as: 'spreadsheet',
    gender: 'man',
    city: 'Zurich',
    bio: '@SUM(1+1)*cmd',
  }),
  named('quotes, comma and semicolon', {
    firstName: 'Bob "Bobby", the; first',
    lastName: 'Tables',
    as: 'bobby.tables',
    gender: 'man',
    city: 'Boston',
    bio: 'Quotes, commas; semicolons: I collect them all.',
  }),
];
