import { msg } from '@lingui/core/macro';
import type { ReadingSection } from './section.ts';

/** The sections of the terms, numbered by their order. */
export const termsTexts: readonly ReadingSection[] = [
  {
    title: msg`Who may join`,
    paragraphs: [
      msg`{brand} is for people of 18 and older who want to meet someone. Each person has one account, with their own name, age and pictures.`,
      msg`Keep your password to yourself, and tell us if someone else may know it.`,
    ],
  },
  {
    title: msg`How we treat each other`,
    paragraphs: [
      msg`Write to others as you would speak to them across a table. A no is a no, and so is silence.`,
      msg`Threats, harassment, hate, impersonation, asking for money, advertising, unwanted sexual content and anything involving people under 18 are not allowed. Nor is collecting other people’s profiles, by hand or by program.`,
    ],
  },
  {
    title: msg`What you share about yourself`,
    paragraphs: [
      msg`What you write and upload stays yours. You allow us to store it and show it to other members while you are here. What others see is described in the Privacy Policy.`,
      msg`Only share what is yours to share: no addresses or phone numbers in your profile, and no one else’s pictures.`,
    ],
  },
  {
    title: msg`What we do with reports`,
    paragraphs: [
      msg`A person reads every report. We never tell people who reported them. Those who aren’t members can report, too.`,
      msg`When someone breaks these rules, we may remove what they wrote or close their account, and tell them why. Software may hold back what someone sends to new people while a person checks it; if it breaks these rules, it is never delivered. If someone may be in danger, we may hide a profile and keep its owner from starting conversations for up to seven days before we decide. You can appeal each of these decisions to us, and you can go to court. In Support you can follow your report and read our answers.`,
      msg`We can’t come and help you. If someone is in danger, call your local emergency number first. Where the law requires it, we inform the authorities.`,
    ],
  },
  {
    title: msg`Premium`,
    paragraphs: [
      msg`{brand} is free to use, and messaging a match is always free for both of you. Premium is a plan for a month, three months or a year that renews until you cancel it.`,
      msg`You can cancel at any time and keep premium until the end of the period you paid for. Where the law gives you a right to withdraw, you have it here too.`,
    ],
  },
  {
    title: msg`Deleting your account`,
    paragraphs: [
      msg`You can delete your account at any time in Settings. Other members stop seeing you at once. For 14 days you can restore it; then your data is erased, except for the few things named in the Privacy Policy.`,
    ],
  },
  {
    title: msg`What we promise, and what we can’t`,
    paragraphs: [
      msg`We run {brand} with care, tell you honestly what it does, and never invent members. Apart from their age, where the law requires it, we don’t check what members say about themselves: meet in a public place at first, and tell a friend where you are.`,
      msg`The service may be unavailable at times. Nothing in these terms takes away a right that the law gives you.`,
    ],
  },
  {
    title: msg`Changes, and how to reach us`,
    paragraphs: [
      msg`When these terms change in a way that matters, we tell you beforehand, and you can delete your account if you don’t agree. For any question, write to our support team.`,
    ],
  },
];

/** What has been added to the terms. Its date is `termsVersion`. */
export const termsSupplement: readonly ReadingSection[] = [
  {
    title: msg`Withdrawing from a purchase`,
    paragraphs: [
      msg`Within 14 days of buying premium you can withdraw from the contract, without giving a reason, where the page of your plan offers it. Premium ends at once, we confirm it by email, and you get your money back: all of it, or the part for the days that are left if you asked us to start at once.`,
    ],
  },
  {
    title: msg`Warnings after fraud`,
    paragraphs: [
      msg`If we ban someone for fraud, we warn everyone who answered them in the 90 days before. If we take the ban back, we correct the warning.`,
    ],
  },
  {
    title: msg`Photos in messages`,
    paragraphs: [
      msg`Don’t send nude or sexual photos that no one asked for; we may close accounts for it. A person’s first six photos in a conversation stay covered until the other person opens them.`,
    ],
  },
];
