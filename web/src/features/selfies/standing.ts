import type { PhotoVerification } from '#contract/photo-verification.ts';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';

/** Where a member stands: in words, and what the link or button to the next step is called. */
const standings = {
  verified: ['Since {date}, others read “Photo verified” on your profile.', 'What this means'],
  waiting: [
    'Our team compares your selfies with your pictures, usually within a day. We email you the result.',
    'Details',
  ],
  drawn: ['You have started, but not sent your selfies yet.', 'Continue'],
  again: ['We need new selfies. The reason: {reason}', 'Take new selfies'],
  rejected: [
    'Our team did not find the person of your selfies in your pictures, and looks at your profile. If this leads to a decision, you can read why and appeal. If we are wrong, add a recent picture and try again, or write to Support.',
    'Try again',
  ],
  expired: [
    'Sorry: we did not get to your selfies within seven days and have deleted them. You can take new ones.',
    'Take new selfies',
  ],
  lost: [
    'Your profile picture or several others have changed since you were verified, so others no longer read “Photo verified”.',
    'Verify again',
  ],
  none: [
    'Show that you are the person in your pictures. Others then read “Photo verified” on your profile.',
    'Verify my pictures',
  ],
} as const;
export type Standing = keyof typeof standings;

const isStanding = (state: string | undefined): state is Standing => Object.hasOwn(standings, state ?? '');

/** Where a member stands with their photo verification. */
export function standingOf({ verifiedAt, isLost, check }: PhotoVerification) {
  const last = isStanding(check?.state) ? check.state : isLost ? 'lost' : 'none';
  const standing: Standing = verifiedAt === null ? last : 'verified';
  const [text, link] = standings[standing];
  return { standing, text: t(text, { date: formatDate(verifiedAt), reason: check?.reason ?? '' }), link: t(link) };
}
