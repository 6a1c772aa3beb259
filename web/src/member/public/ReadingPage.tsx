import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { Well } from '../../ui/layout/text-blocks.tsx';
import { ContactAside } from './ContactAside.tsx';
import classes from './ReadingPage.module.css';

interface ReadingPageProps {
  title: string;
  /** The date of the last change. */
  lead: string;
  sections: readonly { title: MessageDescriptor; paragraphs: readonly MessageDescriptor[] }[];
  /** The question above the support button. */
  question: string;
  /** What comes before the sections. */
  children?: ReactNode;
}

/** A page of numbered sections, with the minimum age and a way to contact support. */
export function ReadingPage({ title, lead, sections, question, children }: ReadingPageProps) {
  return (
    <Box w="100%" maw="50rem" mx="auto" pt="clamp(2rem, 1rem + 4vw, 4rem)" pb="4rem" px="1.25rem">
      <PageHeading mb="0.6rem" fz="clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem)">
        {title}
      </PageHeading>
      <Text mb="2rem" c="dimmed" fz="lead">
        {lead}
      </Text>
      <Well mb="2rem" radius={0} fw={600} style={{ borderInlineStart: '4px solid var(--hw-accent)' }}>
        {t`Heartwood is not for people under 18.`}
      </Well>
      {children}
      <Stack component="ol" gap={0}>
        {sections.map((section, index) => (
          <li key={section.title.id} className={classes.section}>
            <h2>{`${index + 1}. ${t(section.title)}`}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph.id}>{t(paragraph)}</p>
            ))}
          </li>
        ))}
      </Stack>
      <ContactAside question={question} answer={t`Our support team is happy to help.`}>
        <Button component={Link} to="/app/report" variant="default">
          {t`Report something illegal`}
        </Button>
      </ContactAside>
    </Box>
  );
}
