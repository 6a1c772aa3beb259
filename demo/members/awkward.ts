import { minimumAgeYears } from '#contract/constants.ts';
import { before, between, dayMs, dayOf, hourMs, yearsBefore } from '../calendar.ts';
import { homeIn } from './home.ts';
import type { DemoGender, DemoMember } from './demo-member.ts';

/** How an awkward case differs from an ordinary member. */
type Awkward = (now: Date) => Partial<DemoMember>;

/** Awkward names: first and last name (empty for none), mail name, gender, city, bio (empty for none). */
const named = `
Wilhelmina-Konstantina Theodora Anastasia Philippa Maximilia|Featherstonehaugh-Cholmondeley von Hohenlohe und zu Langenau|wilhelmina.fc|woman|Vienna|Forms hate me. I answer to Mina.
Q||q|non-binary|Toronto|Yes, that is the whole name.
||nameless|man|Lisbon|
عبد الرحمن|الزهراني|zahrani|man|Jeddah|أحب البحر ليلًا والقهوة صباحًا.
שלומית|בן-דוד|shlomit|woman|Haifa|ספרים משומשים, חומוס ושיחה טובה.
Layla ليلى|Haddad|layla.haddad|woman|Beirut|Two alphabets, one temper. أهلًا!
Святослав|Воскресенский|svyatoslav|man|Kazan|Собираю старые карты и езжу по ним.
Ευφροσύνη|Παπακωνσταντίνου|effie|woman|Thessaloniki|Πρωί θάλασσα, βράδυ σινεμά.
श्रीनिवास|चट्टोपाध्याय|shrinivas|man|Kolkata|ट्राम, मिठाई और पुरानी किताबें।
慕容|雪|murong|woman|Hangzhou|西湖边长大，喜欢下雪天。
빛나라|남궁|bitnara|woman|Busan|바다 앞에 살아요. 같이 걸을래요?
ひろみ|タカハシ|hiromi|non-binary|Kyoto|自転車と銭湯が好きです。
กฤษฎา|ณ อยุธยา|kritsada|man|Chiang Mai|ปลูกกาแฟบนดอย ชวนมาชิมได้
Zoe\u0308|Ame\u0301lie-Dvor\u030Ca\u0301k|zoe.dvorak|woman|Brno|My accents travel separately from my letters.
Luna 🌙|👩🏽‍🚀|luna.space|woman|Houston|🌍→🌙→❓
<script>alert(1)</script>|<b>&amp;|angle.brackets|man|Bengaluru|<img src=x onerror=alert(1)> is my idea of flirting.
Siobhán|O'Brien|siobhan.obrien|woman|Cork|It's pronounced 'shi-VAWN', and that's the hard part over.
=cmd¦' /C calc'!A0|+1-1|spreadsheet|man|Zurich|@SUM(1+1)*cmd
Bob "Bobby", the; first|Tables|bobby.tables|man|Boston|Quotes, commas; semicolons: I collect them all.`;

function readNamed(line: string): Awkward {
  const [firstName, lastName, mailName, gender, city = '', bio] = line.split('|').map((part) => part || null);
  return () => ({
    firstName: firstName?.replace('¦', '|') ?? null,
    lastName: lastName ?? null,
    email: `${mailName}@letterbox.test`,
    gender: gender as DemoGender,
    genderText: null,
    place: homeIn(city ?? ''),
    bio: bio ?? null,
  });
}

/** One of each case that screens, exports and searches must cope with, in the order of their numbers. */
export const awkwardMembers: readonly Awkward[] = [
  () => ({ gender: null, genderText: null }),
  () => ({ place: null }),
  () => ({ birthDate: null }),
  // Never active.
  (now) => ({ createdAt: before(now, 21 * dayMs), emailVerifiedAt: null, lastActiveAt: null }),
  // Leaving.
  (now) => ({
    createdAt: before(now, 120 * dayMs),
    emailVerifiedAt: before(now, 120 * dayMs - hourMs),
    leavingSince: before(now, 3 * dayMs),
    lastActiveAt: before(now, 3 * dayMs + hourMs),
  }),
  // Deactivated.
  (now) => ({
    createdAt: before(now, 80 * dayMs),
    emailVerifiedAt: before(now, 80 * dayMs - hourMs),
    deactivatedAt: before(now, 9 * dayMs),
    deactivationReason: 'Three members reported that you asked them for money.',
    lastActiveAt: before(now, 9 * dayMs + hourMs),
  }),
  ...named.trim().split('\n').map(readNamed),
  () => ({ email: 'wilhelmina.konstantina.theodora.anastasia.philippa.1@international-letterbox.post.test' }),
  (now) => ({ birthDate: dayOf(before(yearsBefore(now, 84), 100 * dayMs)) }),
  // Turned 18 today.
  (now) => {
    const joinedAt = between(yearsBefore(now, 0), now, 0.5);
    const birthDate = dayOf(yearsBefore(now, minimumAgeYears));
    return { birthDate, createdAt: joinedAt, emailVerifiedAt: joinedAt, lastActiveAt: joinedAt };
  },
  () => ({ bio: 'First line, with a comma.\n\nThird line "quoted";\ttabbed.\n=SUM(A1:A9)\n— and a last one.' }),
  () => ({ bio: 'I could go on about lighthouses for ever. '.repeat(24).slice(0, 1000) }),
];
