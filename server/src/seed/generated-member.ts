import { ageOn } from '../platform/session/age.ts';
import { composeBio } from './bios/bio.ts';
import { drawBirthDate } from './ageing.ts';
import { drawCircumstances, goodStanding } from './circumstances.ts';
import { demoDetails } from './demo-details.ts';
import { demoId } from './demo-id.ts';
import type { DemoGender, DemoMember } from './demo-member.ts';
import { composeEmail } from './email.ts';
import { drawHome } from './home.ts';
import { drawJoining } from './joining.ts';
import { culturesOf } from './names/countries.ts';
import { cultureKeys, type CultureKey } from './names/cultures.ts';
import { drawName } from './names/person-name.ts';
import { evenly, randomOf, type Random } from './random.ts';
import { drawGenderText, drawSeeking } from './seeking.ts';

/** Member `number` as chance would have it: always the same, with times counted back from `now`. */
export function ordinaryMember(number: number, now: Date): DemoMember {
  const random = randomOf(number);
  const member = drawPerson(number, random, now);
  if (random.chance(0.08)) leaveUnfinished(member, random);
  const isComplete =
    member.gender !== null && member.birthDate !== null && member.seeking.length > 0 && member.place !== null;
  return { ...member, ...drawCircumstances(random, number, member.createdAt, now, isComplete) };
}

/** As `ordinaryMember`, but with a complete profile and in good standing: what the awkward ones differ from. */
export function steadyMember(number: number, now: Date): DemoMember {
  const random = randomOf(number);
  const member = drawPerson(number, random, now);
  return { ...member, gender: member.gender ?? 'woman', ...goodStanding(random, member.createdAt, now) };
}

/** What is said depends on the age, and so do the draws it takes. */
const bioStream = 1;

function drawPerson(number: number, random: Random, now: Date): DemoMember {
  const createdAt = drawJoining(number, random, now);
  const place = drawHome(random);
  const culture = drawCulture(random, place.country);
  const gender = drawGender(number);
  const name = drawName(random, culture, gender);
  const birthDate = drawBirthDate(number, random, now, createdAt);
  return {
    id: demoId(number),
    email: composeEmail(random, number, name),
    passwordHash: null,
    staffRole: null,
    createdAt,
    firstName: name.firstName,
    lastName: name.lastName,
    gender,
    genderText: drawGenderText(random, gender),
    birthDate,
    bio: random.chance(0.88) ? composeBio(randomOf(number, bioStream), culture, ageOn(birthDate, now)) : null,
    seeking: drawSeeking(random, gender),
    place,
    details: demoDetails(number, place.country),
    showLastActive: !random.chance(0.1),
    ...goodStanding(random, createdAt, now),
  };
}

function drawCulture(random: Random, country: string): CultureKey {
  const atHome = random.chance(0.93) ? culturesOf(country) : undefined;
  return random.pick(atHome ?? cultureKeys);
}

function drawGender(number: number): DemoGender | null {
  const position = evenly(number, 'bronze');
  if (position < 0.47) return 'woman';
  if (position < 0.94) return 'man';
  return position < 0.98 ? 'non-binary' : null;
}

/** Takes from the profile what people put off. */
function leaveUnfinished(member: DemoMember, random: Random): void {
  member.seeking = [];
  if (random.chance(0.5)) member.place = null;
  if (random.chance(0.35)) member.birthDate = null;
  if (random.chance(0.7)) member.bio = null;
}
