import type { StaffRole } from '#contract/staff-roles.ts';
import { minimumAgeYears } from '#contract/constants.ts';
import { before, between, dayMs, dayOf, hourMs, yearsBefore } from '../calendar.ts';
import { drawHome, homeIn } from './home.ts';
import type { DemoGender, DemoMember, Origin } from './demo-member.ts';
import { demoAccounts } from '../accounts.ts';
import { evenly, type Random, randomOf } from '../random.ts';
import { drawDetails } from './details.ts';
import { drawBio, drawName } from './words.ts';
import { demoId } from './id.ts';
import {
  drawBirthDate,
  drawCircumstances,
  drawGender,
  drawGenderText,
  drawJoining,
  drawSeeking,
  goodStanding,
} from './life.ts';

/** How an awkward case differs from an ordinary member. */
type Awkward = (now: Date) => Partial<DemoMember>;

/** Awkward names: first and last name (empty for none), mail name, gender, city, origin (empty for any), bio (empty for none). */
const named = `
Wilhelmina-Konstantina Theodora Anastasia Philippa Maximilia|Featherstonehaugh-Cholmondeley von Hohenlohe und zu Langenau|wilhelmina.fc|woman|Vienna|europe|Forms hate me. I answer to Mina.
Q||q|non-binary|Toronto||Yes, that is the whole name.
||nameless|man|Lisbon|europe|
عبد الرحمن|الزهراني|zahrani|man|Jeddah|middle-east|أحب البحر ليلًا والقهوة صباحًا.
שלומית|בן-דוד|shlomit|woman|Haifa|middle-east|ספרים משומשים, חומוס ושיחה טובה.
Layla ليلى|Haddad|layla.haddad|woman|Beirut|middle-east|Two alphabets, one temper. أهلًا!
Святослав|Воскресенский|svyatoslav|man|Kazan|europe|Собираю старые карты и езжу по ним.
Ευφροσύνη|Παπακωνσταντίνου|effie|woman|Thessaloniki|europe|Πρωί θάλασσα, βράδυ σινεμά.
श्रीनिवास|चट्टोपाध्याय|shrinivas|man|Kolkata|south-asia|ट्राम, मिठाई और पुरानी किताबें।
慕容|雪|murong|woman|Hangzhou|east-asia|西湖边长大，喜欢下雪天。
빛나라|남궁|bitnara|woman|Busan|east-asia|바다 앞에 살아요. 같이 걸을래요?
ひろみ|タカハシ|hiromi|non-binary|Kyoto|east-asia|自転車と銭湯が好きです。
กฤษฎา|ณ อยุธยา|kritsada|man|Chiang Mai|east-asia|ปลูกกาแฟบนดอย ชวนมาชิมได้
Zoe\u0308|Ame\u0301lie-Dvor\u030Ca\u0301k|zoe.dvorak|woman|Brno|europe|My accents travel separately from my letters.
Luna 🌙|👩🏽‍🚀|luna.space|woman|Houston||🌍→🌙→❓
<script>alert(1)</script>|<b>&amp;|angle.brackets|man|Bengaluru|south-asia|<img src=x onerror=alert(1)> is my idea of flirting.
Siobhán|O'Brien|siobhan.obrien|woman|Cork|europe|It's pronounced 'shi-VAWN', and that's the hard part over.
=cmd¦' /C calc'!A0|+1-1|spreadsheet|man|Zurich|europe|@SUM(1+1)*cmd
Bob "Bobby", the; first|Tables|bobby.tables|man|Boston||Quotes, commas; semicolons: I collect them all.`;

function readNamed(line: string): Awkward {
  const [firstName, lastName, mailName, gender, city = '', origin, bio] = line.split('|').map((part) => part || null);
  return () => ({
    firstName: firstName?.replace('¦', '|') ?? null,
    lastName: lastName ?? null,
    email: `${mailName}@letterbox.test`,
    gender: gender as DemoGender,
    genderText: null,
    looks: { gender: gender as DemoGender, origin: (origin ?? null) as Origin | null },
    place: homeIn(city ?? ''),
    bio: bio ?? null,
  });
}

/** One member for each special case that screens, exports and searches must handle, in the order of their numbers. */
const awkwardMembers: readonly Awkward[] = [
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

/** Names and bios need a varying number of draws, so they use a separate random stream. */
const wordStream = 1;

/** The random member `number`, always the same, with times counted back from `now`. */
function ordinaryMember(number: number, now: Date): DemoMember {
  const random = randomOf(number);
  const member = drawPerson(number, random, now);
  if (random.chance(0.08)) {
    // Optional fields that many people leave empty.
    member.seeking = [];
    if (random.chance(0.5)) member.place = null;
    if (random.chance(0.35)) member.birthDate = null;
    if (random.chance(0.7)) member.bio = null;
  }
  const { gender, birthDate, seeking, place } = member;
  const isComplete = gender !== null && birthDate !== null && seeking.length > 0 && place !== null;
  return { ...member, ...drawCircumstances(random, { number, joinedAt: member.createdAt, now, isComplete }) };
}

/**
 * Like `ordinaryMember`, but with a complete profile and in good standing: the awkward cases are variations of this
 * one.
 */
function steadyMember(number: number, now: Date): DemoMember {
  const random = randomOf(number);
  const member = drawPerson(number, random, now);
  return { ...member, gender: member.gender ?? member.looks.gender, ...goodStanding(random, member.createdAt, now) };
}

function drawPerson(number: number, random: Random, now: Date): DemoMember {
  const words = randomOf(number, wordStream);
  const gender = drawGender(number);
  const createdAt = drawJoining(number, random, now);
  return {
    id: demoId(number),
    passwordHash: null,
    staffRole: null,
    createdAt,
    ...drawName(number, words, gender),
    gender,
    genderText: drawGenderText(random, gender),
    birthDate: drawBirthDate(number, random, now, createdAt),
    bio: random.chance(0.88) ? drawBio(words) : null,
    seeking: drawSeeking(random, gender),
    place: drawHome(number, random),
    details: drawDetails(number),
    showLastActive: evenly(number, 'copper') > 0.1,
    ...goodStanding(random, createdAt, now),
  };
}

/**
 * The demo accounts: name of the address, staff role or `vip`, first and last name, gender, birth date, who they seek, city, days since
 * they joined, hours since they were active, bio.
 */
const accounts = `
admin|admin|Iris|Calder|woman|1984-03-17|man|Edinburgh|395|3|I run this place. Write to support, I read everything.
moderator|moderator|Jonas|Weir|man|1991-11-02|man|Dublin|330|5|Moderator. Fair, patient, powered by peppermint tea.
ada||Ada|Lindqvist|woman|1993-06-21|man,woman|London|210|8|I build wooden boats in a shed by the canal and sail them badly. Bring soup.
bo|vip|Bo|Hansen|man|1990-01-29|woman|London|150|20|Radio producer with a weakness for ferries, chess in the park and second breakfasts.
owner|owner|Maren|Oakes|woman|1979-09-12|woman,man|Edinburgh|260|26|
senior|senior|Tomás|Brandt|man|1986-05-30|woman,man|Lisbon|260|2|
support-agent|support|Nell|Avery|woman|1995-02-08|woman,man|Dublin|260|1|
billing|billing|Farid|Haddad|man|1988-12-19|woman,man|Vienna|260|7|
analyst|analyst|Yuki|Sato|non-binary|1993-07-24|woman,man|London|260|30|
auditor|auditor|Greta|Lund|woman|1975-04-03|woman,man|Vienna|260|190|`;
const linesOfAccounts = new Map(
  accounts
    .trim()
    .split('\n')
    .map((line) => [`${line.split('|')[0]}@heartwood.test`, line.split('|').slice(1)]),
);

/** The demo account `number`, with the hash of its password. */
function signInMember(number: number, email: string, passwordHash: string, now: Date): DemoMember {
  const [role, firstName, lastName, gender, birthDate, seeking, city, joined, active, bio] = (
    linesOfAccounts.get(email) ?? []
  ).map((field) => field || null);
  const createdAt = before(now, Number(joined) * dayMs);
  return {
    ...goodStanding(randomOf(number), createdAt, now),
    id: demoId(number),
    email,
    passwordHash,
    createdAt,
    staffRole: role === 'vip' ? null : ((role ?? null) as StaffRole | null),
    isVip: role === 'vip',
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    gender: gender as DemoGender,
    genderText: null,
    looks: { gender: gender as DemoGender, origin: null },
    birthDate: birthDate ?? null,
    bio: bio ?? null,
    seeking: (seeking ?? '').split(',') as DemoGender[],
    place: homeIn(city ?? ''),
    details: drawDetails(number),
    showLastActive: true,
    lastActiveAt: before(now, Number(active) * hourMs),
  };
}

/** The first demo accounts have the first numbers; those of further staff follow the awkward cases. */
const firstAccounts = 4;

/** How many members are not drawn at random: the demo accounts and the awkward cases. */
export const namedMemberCount = demoAccounts.length + awkwardMembers.length;

/** Profiles that no member reported. Staff opened a case about each of them, except about the last one. */
const unreported: readonly Awkward[] = [
  (now) => ({
    bio: 'Crypto changed my life, and it can change yours. Ask me for the link and start with 200.',
    createdAt: before(now, 150 * dayMs),
    emailVerifiedAt: before(now, 150 * dayMs - hourMs),
    lastActiveAt: before(now, 20 * hourMs),
  }),
  () => ({ bio: 'I photograph weddings for a living. My best pictures so far were of goats.' }),
  () => ({ bio: 'I only chat on my own page, warm-chats.test. The first ten minutes are free.' }),
  () => ({ bio: 'Send a gift card before our first date, the code by message. You get pictures of me for it.' }),
];
const firstUnreported = namedMemberCount + 8;
/** The numbers of these members, as far as a demo has them all. */
export const unreportedNumbers = unreported.map((_, place) => firstUnreported + place);

/** The number of the demo account at this place in their list. */
export function accountNumber(place: number): number {
  return place < firstAccounts ? place : place + awkwardMembers.length;
}

/** The demo account with this role. */
export function colleague(role: StaffRole, now: Date): DemoMember {
  const place = demoAccounts.findIndex(({ email }) => linesOfAccounts.get(email)?.[0] === role);
  return demoMember(accountNumber(place), now);
}

/**
 * Member `number` (from 0): always the same, with times counted back from `now`. `passwordHashes` are those of the demo
 * accounts, in their order; no other member can sign in.
 */
export function demoMember(number: number, now: Date, passwordHashes: readonly string[] = []): DemoMember {
  const place = number < firstAccounts + awkwardMembers.length ? number : number - awkwardMembers.length;
  const account = accountNumber(place) === number ? demoAccounts[place] : undefined;
  if (account !== undefined) return signInMember(number, account.email, passwordHashes[place] ?? '', now);
  const awkward = awkwardMembers[number - firstAccounts] ?? unreported[number - firstUnreported];
  if (awkward === undefined) return ordinaryMember(number, now);
  return { ...steadyMember(number, now), ...awkward(now) };
}
