import { msg, t } from '@lingui/core/macro';
import type { PhotoVerification } from '#contract/photo-verification.ts';
import { formatDate } from '../../ui/text/format.ts';
import { fill } from '../../ui/text/i18n.ts';

/** The state of a member's verification as text, and the label of the link or button to the next step. */
const standings = {
  verified: [msg({ message: 'Since {date}, others read “Photo verified” on your profile.' }), msg`What this means`],
  waiting: [
    msg`Our team compares your selfies with your pictures, usually within a day. We email you the result.`,
    msg`Details`,
  ],
  drawn: [msg`You have started, but not sent your selfies yet.`, msg`Continue`],
  again: [msg({ message: 'We need new selfies. The reason: {reason}' }), msg`Take new selfies`],
  rejected: [
    msg`Our team did not find the person of your selfies in your pictures, and looks at your profile. If this leads to a decision, you can read why and appeal. If we are wrong, add a recent picture and try again, or write to Support.`,
    msg`Try again`,
  ],
  expired: [
    msg`Sorry: we did not get to your selfies within seven days and have deleted them. You can take new ones.`,
    msg`Take new selfies`,
  ],
  lost: [
    msg`Your profile picture or several others have changed since you were verified, so others no longer read “Photo verified”.`,
    msg`Verify again`,
  ],
  none: [
    msg`Show that you are the person in your pictures. Others then read “Photo verified” on your profile.`,
    msg`Verify my pictures`,
  ],
} as const;
export type Standing = keyof typeof standings;

const isStanding = (state: string | undefined): state is Standing => Object.hasOwn(standings, state ?? '');

/** The state of a member's photo verification. */
export function standingOf({ verifiedAt, isLost, check }: PhotoVerification) {
  const last = isStanding(check?.state) ? check.state : isLost ? 'lost' : 'none';
  const standing: Standing = verifiedAt === null ? last : 'verified';
  const [text, link] = standings[standing];
  return { standing, text: fill(text, { date: formatDate(verifiedAt), reason: check?.reason ?? '' }), link: t(link) };
}
