import { msg } from '@lingui/core/macro';
import type { ReadingSection } from './section.ts';

/** Advice for before, during and after meeting someone. */
export const safetyTexts: readonly ReadingSection[] = [
  {
    title: msg`Before you meet`,
    paragraphs: [
      msg`Take your time. A video call shows whether someone looks and talks like their profile. People who mean well understand if you want to wait.`,
      msg`Meet in a public place, for the first few times at least. Tell a friend who you meet, where and when, and agree on a time at which you call them.`,
      {
        ...msg`If you plan the date on {brand}, you can send your friend a link to it, and we ask you afterwards whether you are fine.`,
        part: 'dates',
      },
      msg`Travel there and back on your own, keep your drink in sight, and keep your phone charged. You can leave at any time, and you owe no one a reason.`,
      msg`Keep your address, your workplace and your papers to yourself until you know someone well.`,
    ],
  },
  {
    title: msg`Signs of a scam`,
    paragraphs: [
      msg`Someone you have never met asks for money, gift cards or cryptocurrency, for an emergency, a ticket or an investment. Never send any, whatever the story.`,
      msg`They are in love within days, always have a reason not to meet or call, and want to leave {brand} for another app at once.`,
      msg`They ask for a code that was sent to you, for a copy of your papers, or for your bank account to receive money.`,
      msg`If you have sent money, call your bank now: the sooner you do, the more can be stopped. Then report the person to the police and to us.`,
    ],
  },
  {
    title: msg`If someone threatens to share your pictures`,
    paragraphs: [
      msg`Do not pay: those who pay are asked again. Stop answering, keep the messages and names as evidence, and block them only after you have reported them.`,
      msg`This is a crime, and you are not to blame. The police and the help lines above help, also if you are not sure what happened.`,
    ],
  },
  {
    title: msg`After an assault`,
    paragraphs: [
      msg`Go somewhere safe, and call the emergency number if you are in danger. What happened is never your fault, whatever you did before.`,
      msg`See a doctor soon, even if you feel unhurt. Evidence can often be secured for days, in many places without telling the police. If you can, keep your clothes unwashed in a paper bag.`,
      msg`You decide whether and when to tell the police. A help line listens, explains what is possible where you live, and can come with you.`,
      msg`Report the person here as well. A person on our team reads it, and they are never told who reported them.`,
    ],
  },
];
