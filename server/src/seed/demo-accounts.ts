import { before, dayMs, hourMs } from './calendar.ts';
import { goodStanding } from './circumstances.ts';
import { demoDetails } from './demo-details.ts';
import { demoId } from './demo-id.ts';
import type { DemoMember } from './demo-member.ts';
import { homeIn } from './home.ts';
import { randomOf } from './random.ts';

const memberPassword = 'heartwood-member-demo';

/** The accounts one can sign in to, in the order of their numbers; the passwords are no secret. */
export const demoAccounts = [
  { what: 'administrator', email: 'admin@heartwood.test', password: 'heartwood-admin-demo' },
  { what: 'moderator', email: 'moderator@heartwood.test', password: 'heartwood-moderator-demo' },
  { what: 'member (free)', email: 'ada@heartwood.test', password: memberPassword },
  { what: 'member (VIP)', email: 'bo@heartwood.test', password: memberPassword },
] as const;

type DemoEmail = (typeof demoAccounts)[number]['email'];
type Person = Pick<DemoMember, 'firstName' | 'lastName' | 'gender' | 'birthDate' | 'bio' | 'seeking'> &
  Partial<Pick<DemoMember, 'staffRole' | 'isVip'>> & { city: string; joinedDaysAgo: number; activeHoursAgo: number };

const people: Record<DemoEmail, Person> = {
  'admin@heartwood.test': {
    staffRole: 'admin',
    firstName: 'Iris',
    lastName: 'Calder',
    gender: 'woman',
    birthDate: '1984-03-17',
    seeking: ['man'],
    bio: 'I look after this place. Write to support, I read everything.',
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

/** The demo account `number`, with `passwordHash` for its password. */
export function demoAccountMember(number: number, email: DemoEmail, passwordHash: string, now: Date): DemoMember {
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
    details: demoDetails(number, null),
    ...person,
  };
}
