import { minimumAgeYears } from '#contract/constants.ts';
import { before, between, dayMs, dayOf, hourMs, yearsBefore } from './calendar.ts';
import { awkwardNames, type Awkward } from './awkward-names.ts';

/** Members that screens, exports and searches must cope with, one of each, in the order of their numbers. */
export const awkwardMembers: readonly Awkward[] = [
  { what: 'no gender', change: () => ({ gender: null, genderText: null }) },
  { what: 'no city', change: () => ({ place: null }) },
  { what: 'no birth date', change: () => ({ birthDate: null }) },
  {
    what: 'never active',
    change: (now) => ({ createdAt: before(now, 21 * dayMs), emailVerifiedAt: null, lastActiveAt: null }),
  },
  {
    what: 'leaving',
    change: (now) => ({
      createdAt: before(now, 120 * dayMs),
      emailVerifiedAt: before(now, 120 * dayMs - hourMs),
      leavingSince: before(now, 3 * dayMs),
      lastActiveAt: before(now, 3 * dayMs + hourMs),
    }),
  },
  {
    what: 'deactivated',
    change: (now) => ({
      createdAt: before(now, 80 * dayMs),
      emailVerifiedAt: before(now, 80 * dayMs - hourMs),
      deactivatedAt: before(now, 9 * dayMs),
      deactivationReason: 'Three members reported that you asked them for money.',
      lastActiveAt: before(now, 9 * dayMs + hourMs),
    }),
  },
  ...awkwardNames,
  {
    what: 'very long e-mail address',
    change: () => ({
      email: 'wilhelmina.konstantina.theodora.anastasia.philippa.1@international-letterbox.post.test',
    }),
  },
  { what: 'over 80', change: (now) => ({ birthDate: dayOf(before(yearsBefore(now, 84), 100 * dayMs)) }) },
  {
    what: 'turned 18 today',
    change: (now) => {
      const birthday = yearsBefore(now, minimumAgeYears);
      const joinedAt = between(yearsBefore(now, 0), now, 0.5);
      return { birthDate: dayOf(birthday), createdAt: joinedAt, emailVerifiedAt: joinedAt, lastActiveAt: joinedAt };
    },
  },
  {
    what: 'bio of several paragraphs',
    change: () => ({
      bio: 'First line, with a comma.\n\nThird line "quoted";\ttabbed.\n=SUM(A1:A9)\n— and a last one.',
    }),
  },
  {
    what: 'bio of full length',
    change: () => ({ bio: 'I could go on about lighthouses for ever. '.repeat(24).slice(0, 1000) }),
  },
];
