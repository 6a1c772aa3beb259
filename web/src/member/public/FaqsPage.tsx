import { t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../features/auth/session/session.ts';
import { OwnersText } from './OwnersText.tsx';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { ContactAside } from './ContactAside.tsx';
import { Paragraphs } from '../../features/service/Paragraphs.tsx';
import { faqTexts } from '../../features/service/shipped/faq.ts';

function OwnAnswers() {
  return (
    <Stack gap="0.7rem">
      {faqTexts.map(({ title, paragraphs }) => (
        <Disclosure key={title.id} title={t(title)}>
          <Paragraphs of={paragraphs} />
        </Disclosure>
      ))}
    </Stack>
  );
}

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
      <OwnersText kind="faq" own={<OwnAnswers />} />
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
