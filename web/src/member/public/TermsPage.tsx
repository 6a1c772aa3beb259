import { termsVersion } from '#contract/constants.ts';
import { formatDay } from '../../ui/text/format.ts';
import { useLocale, useText } from '../../ui/text/text.ts';
import { ReadingPage } from './ReadingPage.tsx';

/** The sections of the terms; their numbers come from the order. */
const termsTexts: readonly { title: string; paragraphs: readonly string[] }[] = [
  {
    title: 'Who may join',
    paragraphs: [
      'Heartwood is for people of 18 and older who want to meet somebody. Each person has one account, with their own name, age and pictures.',
      'You keep your password to yourself, and you tell us when somebody else may know it.',
    ],
  },
  {
    title: 'How we treat each other',
    paragraphs: [
      'Write to others as you would speak to them across a table. A no is a no, and so is silence.',
      'Not allowed are threats, harassment, hatred, pretending to be somebody else, asking for money, advertising, sexual content that nobody asked for, and anything that involves people under 18. Collecting the profiles of others, by hand or by program, is not allowed either.',
    ],
  },
  {
    title: 'What you tell about yourself',
    paragraphs: [
      'What you write and upload stays yours. You allow us to keep it and to show it to other members as long as you are here; what others see is described in the Privacy Policy.',
      'Tell only what you may tell: no addresses or telephone numbers in your profile, and nobody else’s pictures.',
    ],
  },
  {
    title: 'What we do with reports',
    paragraphs: [
      'A person reads every report. Whoever is reported is never told by whom.',
      'When somebody breaks these rules we may remove what they wrote or close their account, and tell them why. Under Support you see how your report stands and what we answered.',
      'We cannot come to your help. If somebody is in danger, call your local emergency number first. Where the law obliges us, we tell the authorities.',
    ],
  },
  {
    title: 'Premium',
    paragraphs: [
      'Heartwood can be used free of charge, and writing with a match is free for both, always. Premium is a plan for a month, three months or a year, which renews until you cancel it.',
      'You can cancel at any time and keep what you paid for until the end of the period. Where the law gives you a right to withdraw, you have it here too.',
    ],
  },
  {
    title: 'Leaving',
    paragraphs: [
      'You can leave at any time, in Settings. Nobody sees you any more from that moment. For 14 days you can return; then your data is erased, but for the few things the Privacy Policy names.',
    ],
  },
  {
    title: 'What we promise, and what we cannot',
    paragraphs: [
      'We run Heartwood with care, tell you honestly what it does, and never invent members. We cannot look into people, and do not check what they say about themselves: meet in a public place at first, and tell a friend where you are.',
      'Now and then the service will stand still. Nothing in these terms takes away a right that the law gives you.',
    ],
  },
  {
    title: 'Changes, and how to reach us',
    paragraphs: [
      'When these terms change in a way that matters, we tell you before, and you can leave if you do not agree. For every question, write to our support team.',
    ],
  },
];

/** What joining means, in plain words. */
export function TermsPage() {
  const t = useText();
  const locale = useLocale();
  return (
    <ReadingPage
      title={t('Terms')}
      lead={t('Last updated: {date}', { date: formatDay(termsVersion, locale) })}
      sections={termsTexts}
      question={t('Questions about these terms?')}
    />
  );
}
