import { before, dayMs, hourMs } from '../calendar.ts';
import type { demoAccounts } from '../accounts.ts';
import { evenly, randomOf, type Random } from '../random.ts';
import { drawDetails } from './details.ts';
import { drawHome, homeIn } from './home.ts';
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
import type { DemoMember } from './demo-member.ts';
import { drawBio, drawName } from './words.ts';

/** Names and bios take a varying number of draws, so they have a stream of their own. */
const wordStream = 1;

/** Member `number` as drawn at random: always the same, with times counted back from `now`. */
export function ordinaryMember(number: number, now: Date): DemoMember {
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
  return { ...member, ...drawCircumstances(random, number, member.createdAt, now, isComplete) };
}

/** Like `ordinaryMember`, but with a complete profile and in good standing: the awkward cases differ from this. */
export function steadyMember(number: number, now: Date): DemoMember {
  const random = randomOf(number);
  const member = drawPerson(number, random, now);
  return { ...member, gender: member.gender ?? 'woman', ...goodStanding(random, member.createdAt, now) };
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

type Person = Pick<DemoMember, 'firstName' | 'lastName' | 'gender' | 'birthDate' | 'bio' | 'seeking'> &
  Partial<Pick<DemoMember, 'staffRole' | 'isVip'>> & { city: string; joinedDaysAgo: number; activeHoursAgo: number };

const people: Record<(typeof demoAccounts)[number]['email'], Person> = {
  'admin@heartwood.test': {
    staffRole: 'admin',
    firstName: 'Iris',
    lastName: 'Calder',
    gender: 'woman',
    birthDate: '1984-03-17',
    seeking: ['man'],
    bio: 'I run this place. Write to support, I read everything.',
    city: 'Edinburgh',
    joinedDaysAgo: 395,
    activeHoursAgo: 3,
  },
  'moderator@heartwood.test': {
    staffRole: 'moderator',
    firstName: 'Jonas',
    lastName: 'Weir',
    gender: 'man',
    birthDate: '1991-11-02',
    seeking: ['man'],
    bio: 'Moderator. Fair, patient, powered by peppermint tea.',
    city: 'Dublin',
    joinedDaysAgo: 330,
    activeHoursAgo: 5,
  },
  'ada@heartwood.test': {
    firstName: 'Ada',
    lastName: 'Lindqvist',
    gender: 'woman',
    birthDate: '1993-06-21',
    seeking: ['man', 'woman'],
    bio: 'I build wooden boats in a shed by the canal and sail them badly. Bring soup.',
    city: 'London',
    joinedDaysAgo: 210,
    activeHoursAgo: 8,
  },
  'bo@heartwood.test': {
    isVip: true,
    firstName: 'Bo',
    lastName: 'Hansen',
    gender: 'man',
    birthDate: '1990-01-29',
    seeking: ['woman'],
    bio: 'Radio producer with a weakness for ferries, chess in the park and second breakfasts.',
    city: 'London',
    joinedDaysAgo: 150,
    activeHoursAgo: 20,
  },
};

/** The demo account `number`, with the hash of its password. */
export function signInMember(number: number, email: keyof typeof people, passwordHash: string, now: Date): DemoMember {
  const { city, joinedDaysAgo, activeHoursAgo, ...person } = people[email];
  const createdAt = before(now, joinedDaysAgo * dayMs);
  return {
    id: demoId(number),
    email,
    passwordHash,
    createdAt,
    staffRole: null,
    genderText: null,
    showLastActive: true,
    ...goodStanding(randomOf(number), createdAt, now),
    lastActiveAt: before(now, activeHoursAgo * hourMs),
    place: homeIn(city),
    details: drawDetails(number),
    ...person,
  };
}
