import { msg } from '@lingui/core/macro';
import type { ReadingSection } from './section.ts';

/** The ten questions in the order they are shown; each with the paragraphs of its answer. */
export const faqTexts: readonly ReadingSection[] = [
  {
    title: msg`How do I create an account?`,
    paragraphs: [
      msg`Choose Join, enter your first name, birth date, email address and a password of at least ten characters, and accept the terms. You have to be {minimumAge} or older.`,
      msg`We then email you a six-digit code and a link. Either one confirms that the address is yours.`,
    ],
  },
  {
    title: msg`How does matching work?`,
    paragraphs: [
      msg`You tell us who you are and who you would like to meet. We show you people who match both ways: you are what they are looking for, and they are what you are looking for.`,
      msg`When two people like each other, it is a match and both can write. No one finds out that you passed on them.`,
    ],
  },
  {
    title: msg`How do I upgrade to Premium?`,
    paragraphs: [
      msg`Open Premium, choose a monthly, quarterly or annual plan, and pay by card. It adds unlimited likes, seeing who liked you, incognito, browsing in another city, and more filters.`,
      msg`Messaging a match is always free for both of you. You can cancel at any time in Settings, in two clicks, and keep premium until the end of the period.`,
    ],
  },
  {
    title: msg`How do I report someone?`,
    paragraphs: [
      msg`Open their profile and choose Report, or sign in and open Support. Tell us what happened. A person on our team reads every report, and harassment comes first.`,
      msg`In Support you can follow your report, read our answers and write back. Unless you choose otherwise, the two of you no longer see each other.`,
      msg`The person you report is never told who reported them.`,
    ],
  },
  {
    title: msg`How do I delete my account?`,
    paragraphs: [
      msg`Open Settings, choose “Delete my account” and enter your password. Other members stop seeing you at once, and every device is signed out.`,
      msg`You have 14 days to change your mind: just sign in to restore your account. After that your data is erased, except what a report about you or the law requires, as the Privacy Policy describes.`,
    ],
  },
  {
    title: msg`I forgot my password. What now?`,
    paragraphs: [
      msg`Choose “Forgot your password?” on the sign-in page and enter your email address. We email you a link that works once, for 30 minutes.`,
      msg`A new password signs out all your devices, and anyone else who was signed in.`,
    ],
  },
  {
    title: msg`Can I see who liked me?`,
    paragraphs: [
      msg`Everyone sees how many people liked them. Premium members see who they are.`,
      msg`Without Premium you find out when you like one of them back: then it is a match.`,
    ],
  },
  {
    title: msg`How do you use my location?`,
    paragraphs: [
      msg`We only store the middle of an area about three kilometers across, never the exact point, and forget the previous one when you move.`,
      msg`Others see a rough distance such as “5–10 km away”, so no one can work out where you live.`,
    ],
  },
  {
    title: msg`Something is not working. What can I do?`,
    paragraphs: [
      msg`Reload the page and check your internet connection. If that does not help, sign out and in again, or try another browser.`,
      msg`{brand} works in Safari 16.4, Firefox 121, Chrome 120, Edge 120 and newer versions.`,
      msg`If it still fails, tell us what you did, what you saw, and when. A screenshot helps.`,
    ],
  },
  {
    title: msg`Which notifications do I get?`,
    paragraphs: [
      msg`The bell at the top shows matches, likes and other news, such as answers to your reports. In Settings you choose which of these, and of new messages, we send by email (at once, daily, weekly or never) and to which devices. Every such email has a link to stop emails like it.`,
      msg`If you like, we also tell you when new people fit your preferences: daily or weekly, and never if no one does. This is off until you turn it on.`,
      msg`You always get the emails your account needs: codes, links to set a new password, and notes about changes to your sign-in. Subjects and notifications never name anyone or say what was written. We send no advertising and never pass your address on.`,
    ],
  },
];
