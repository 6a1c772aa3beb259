import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useServiceConfig } from '../../api/service-config.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { SupportButton } from '../../ui/feedback/SupportButton.tsx';
import { useText } from '../../ui/text/text.ts';
import classes from './ReadingPage.module.css';

/** The ten questions, in the order they are shown; each answer is a list of paragraphs. */
const faqTexts: readonly { question: string; answer: readonly string[] }[] = [
  {
    question: 'How do I create an account?',
    answer: [
      'Choose Join, give your first name, your birth date, an e-mail address and a password of at least ten characters, and accept the terms. You have to be 18 or older.',
      'We then mail you a six-digit code and a link. Either of them confirms that the address is yours.',
    ],
  },
  {
    question: 'How does matching work?',
    answer: [
      'You tell us who you are and whom you would like to meet. We show you people who fit in both directions: you are what they look for, and they are what you look for.',
      'When two people like each other it is a match, and both can write. Nobody learns that you passed on them.',
    ],
  },
  {
    question: 'How do I upgrade to Premium?',
    answer: [
      'Open Premium, choose a monthly, quarterly or annual plan, and pay by card. It adds likes without a daily limit, seeing who liked you, incognito, another city, and further filters.',
      'Writing with a match is free for both, always. You can cancel at any time in Settings, in two clicks, and keep what you paid for until the end of the period.',
    ],
  },
  {
    question: 'How do I report somebody?',
    answer: [
      'Open their profile and choose Report, or sign in and open Support. Tell us what happened; a person from our team reads every report, and harassment comes first.',
      'Under Support you see how your report stands and what we answered, and you can write back. Unless you decline, the two of you no longer see each other.',
      'The person you report is never told who reported them.',
    ],
  },
  {
    question: 'How do I delete my account?',
    answer: [
      'Open Settings, choose “Delete my account” and enter your password. From that moment nobody sees you any more, and every device is signed out.',
      'You have 14 days to change your mind: signing in offers you the way back. After that your data is erased, but for what a report about you needs and the law demands; the Privacy Policy names it.',
    ],
  },
  {
    question: 'I forgot my password. What now?',
    answer: [
      'Choose “Forgot your password?” where you sign in and enter your address. We mail you a link that works once, for 30 minutes.',
      'A new password signs out all your devices, so whoever else was signed in no longer is.',
    ],
  },
  {
    question: 'Can I see who liked me?',
    answer: [
      'Everybody sees how many people liked them. Premium members see who they are.',
      'Without Premium you find out the usual way: when you like one of them back, it is a match.',
    ],
  },
  {
    question: 'How do you use my location?',
    answer: [
      'We keep only the middle of an area some three kilometres across, never the exact point, and forget the place before it when you move.',
      'Others see a rough distance such as “5–10 km away”, so nobody can work out where you live.',
    ],
  },
  {
    question: 'Something does not work. What can I do?',
    answer: [
      'Reload the page and check your internet connection. If that does not help, sign out and in again, or try another browser.',
      'If it still fails, write to us: what you did, what you saw, and when. A picture of the screen helps.',
    ],
  },
  {
    question: 'Which notifications do I get?',
    answer: [
      'The bell at the top tells you of matches, of likes and of news on your reports. In Settings you choose what of it, and of new messages, reaches you by mail (at once, daily, weekly or never) and on which devices. Every such mail has a link that ends mails like it.',
      'Mails that your account needs always come: codes, links to set a new password, and notes about changes to your sign-in. Neither subjects nor devices name anybody or say what was written. We send no advertising, and we never pass your address on.',
    ],
  },
];

/** Questions that many ask, and the way to a person for the others. */
export function FaqsPage() {
  const t = useText();
  const config = useServiceConfig();
  const isMember = useSession((session) => session.token !== null && session.user?.isAdmin === false);
  return (
    <div className={classes.page}>
      <PageHeading className={classes.title} title={t('FAQs')}>
        {t('Frequently Asked Questions')}
      </PageHeading>
      <p className={classes.lead}>{t('Short answers to what people ask us most.')}</p>
      <div className={classes.questions}>
        {faqTexts.map(({ question, answer }) => (
          <Disclosure key={question} title={t(question)}>
            {answer.map((paragraph) => (
              <p key={paragraph}>{t(paragraph)}</p>
            ))}
          </Disclosure>
        ))}
      </div>
      <aside className={classes.contact} aria-label={t('Contact')}>
        <div>
          <p className={classes.contactTitle}>{t('Still have a question?')}</p>
          <p className={classes.contactText}>{t('Write to us. People answer, around the clock.')}</p>
        </div>
        <div className={classes.contactWays}>
          {isMember && (
            <Button component={Link} to="/app/support/new" variant="default">
              {t('Report a problem')}
            </Button>
          )}
          <SupportButton supportEmail={config?.supportEmail} />
        </div>
      </aside>
    </div>
  );
}
