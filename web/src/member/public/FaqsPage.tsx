import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../features/auth/session/session.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { ContactAside } from './ContactAside.tsx';

/** The ten questions in the order they are shown; each answer is a list of paragraphs. */
const faqTexts: readonly { question: MessageDescriptor; answer: readonly MessageDescriptor[] }[] = [
  {
    question: msg`How do I create an account?`,
    answer: [
      msg`Choose Join, enter your first name, birth date, email address and a password of at least ten characters, and accept the terms. You have to be 18 or older.`,
      msg`We then email you a six-digit code and a link. Either one confirms that the address is yours.`,
    ],
  },
  {
    question: msg`How does matching work?`,
    answer: [
      msg`You tell us who you are and who you would like to meet. We show you people who match both ways: you are what they are looking for, and they are what you are looking for.`,
      msg`When two people like each other, it is a match and both can write. No one finds out that you passed on them.`,
    ],
  },
  {
    question: msg`How do I upgrade to Premium?`,
    answer: [
      msg`Open Premium, choose a monthly, quarterly or annual plan, and pay by card. It adds unlimited likes, seeing who liked you, incognito, browsing in another city, and more filters.`,
      msg`Messaging a match is always free for both of you. You can cancel at any time in Settings, in two clicks, and keep premium until the end of the period.`,
    ],
  },
  {
    question: msg`How do I report someone?`,
    answer: [
      msg`Open their profile and choose Report, or sign in and open Support. Tell us what happened. A person on our team reads every report, and harassment comes first.`,
      msg`In Support you can follow your report, read our answers and write back. Unless you choose otherwise, the two of you no longer see each other.`,
      msg`The person you report is never told who reported them.`,
    ],
  },
  {
    question: msg`How do I delete my account?`,
    answer: [
      msg`Open Settings, choose “Delete my account” and enter your password. Other members stop seeing you at once, and every device is signed out.`,
      msg`You have 14 days to change your mind: just sign in to restore your account. After that your data is erased, except what a report about you or the law requires, as the Privacy Policy describes.`,
    ],
  },
  {
    question: msg`I forgot my password. What now?`,
    answer: [
      msg`Choose “Forgot your password?” on the sign-in page and enter your email address. We email you a link that works once, for 30 minutes.`,
      msg`A new password signs out all your devices, and anyone else who was signed in.`,
    ],
  },
  {
    question: msg`Can I see who liked me?`,
    answer: [
      msg`Everyone sees how many people liked them. Premium members see who they are.`,
      msg`Without Premium you find out when you like one of them back: then it is a match.`,
    ],
  },
  {
    question: msg`How do you use my location?`,
    answer: [
      msg`We only store the middle of an area about three kilometers across, never the exact point, and forget the previous one when you move.`,
      msg`Others see a rough distance such as “5–10 km away”, so no one can work out where you live.`,
    ],
  },
  {
    question: msg`Something is not working. What can I do?`,
    answer: [
      msg`Reload the page and check your internet connection. If that does not help, sign out and in again, or try another browser.`,
      msg`{brand} works in Safari 16.4, Firefox 121, Chrome 120, Edge 120 and newer versions.`,
      msg`If it still fails, tell us what you did, what you saw, and when. A screenshot helps.`,
    ],
  },
  {
    question: msg`Which notifications do I get?`,
    answer: [
      msg`The bell at the top shows matches, likes, news about dates you plan, and news on your reports. In Settings you choose which of these, and of new messages, we send by email (at once, daily, weekly or never) and to which devices. Every such email has a link to stop emails like it.`,
      msg`You always get the emails your account needs: codes, links to set a new password, and notes about changes to your sign-in. Subjects and notifications never name anyone or say what was written. We send no advertising and never pass your address on.`,
    ],
  },
];

/** Frequently asked questions, and how to contact support. */
export function FaqsPage() {
  const isMember = useSession((session) => session.token !== null && session.user?.isAdmin === false);
  return (
    <Box w="100%" maw="50rem" mx="auto" pt="clamp(2rem, 1rem + 4vw, 4rem)" pb="4rem" px="1.25rem">
      <PageHeading mb="0.6rem" fz="clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem)" title={t`FAQs`}>
        {t`Frequently Asked Questions`}
      </PageHeading>
      <Text mb="2rem" c="dimmed" fz="lead">
        {t`Short answers to what people ask us most.`}
      </Text>
      <Stack gap="0.7rem">
        {faqTexts.map(({ question, answer }) => (
          <Disclosure key={question.id} title={t(question)}>
            {answer.map((paragraph) => (
              <p key={paragraph.id}>{t(paragraph)}</p>
            ))}
          </Disclosure>
        ))}
      </Stack>
      <ContactAside question={t`Still have a question?`} answer={t`Write to us. Our team answers around the clock.`}>
        <Button component={Link} to="/app/safety" variant="default">
          {t`Safety center`}
        </Button>
        <Button component={Link} to="/app/transparency" variant="default">
          {t`Transparency reports`}
        </Button>
        {isMember && (
          <Button component={Link} to="/app/support/new" variant="default">
            {t`Report a problem`}
          </Button>
        )}
      </ContactAside>
    </Box>
  );
}
