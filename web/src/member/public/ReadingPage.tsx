import { t } from '@lingui/core/macro';
import { Box, Button, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { termsVersion } from '#contract/constants.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import { usePart } from '../../brand.ts';
import { OwnersText, useIsReplaced } from './OwnersText.tsx';
import { Paragraphs } from '../../features/service/Paragraphs.tsx';
import type { ReadingSection } from '../../features/service/shipped/section.ts';
import classes from '../../features/service/texts.module.css';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { Well } from '../../ui/layout/text-blocks.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { ContactAside } from './ContactAside.tsx';

interface ReadingPageProps {
  kind: TextKind;
  title: string;
  /** The date of the last change of the product's own text, or advice that stays above any text. */
  lead: string;
  isDate?: boolean;
  sections: readonly ReadingSection[];
  /** What was added below the sections, as of `termsVersion`. */
  supplement?: readonly ReadingSection[];
  /** The question above the support button. */
  question: string;
  /** The content before the sections. */
  children?: ReactNode;
}

function OwnSections({ sections, supplement = [] }: Pick<ReadingPageProps, 'sections' | 'supplement'>) {
  return (
    <>
      <Stack component="ol" gap={0}>
        {sections.map((section, index) => (
          <li key={section.title.id} className={classes.section}>
            <h2>{`${index + 1}. ${t(section.title)}`}</h2>
            <Paragraphs of={section.paragraphs} />
          </li>
        ))}
      </Stack>
      {supplement.length > 0 && (
        <section className={classes.section}>
          <h2>{t`Supplement`}</h2>
          <Text c="dimmed">{t`Last updated: ${{ date: formatDay(termsVersion) }}`}</Text>
          {supplement.map((section) => (
            <Fragment key={section.title.id}>
              <h3>{t(section.title)}</h3>
              <Paragraphs of={section.paragraphs} />
            </Fragment>
          ))}
        </section>
      )}
    </>
  );
}

/** A page of numbered sections or of the owner's text, with the minimum age and a way to contact support. */
export function ReadingPage(props: ReadingPageProps) {
  const { kind, title, lead, isDate = false, sections, supplement, question, children } = props;
  const isReplaced = useIsReplaced(kind);
  const takesNotices = usePart('notices');
  return (
    <Box w="100%" maw="50rem" mx="auto" pt="clamp(2rem, 1rem + 4vw, 4rem)" pb="4rem" px="1.25rem">
      <PageHeading mb="0.6rem" fz="clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem)">
        {title}
      </PageHeading>
      {!(isDate && isReplaced) && (
        <Text mb="2rem" c="dimmed" fz="lead">
          {lead}
        </Text>
      )}
      <Well mb="2rem" fw={600}>
        {t`{brand} is not for people under 18.`}
      </Well>
      {children}
      <OwnersText kind={kind} own={<OwnSections sections={sections} supplement={supplement ?? []} />} />
      <ContactAside question={question} answer={t`Our support team is happy to help.`}>
        {takesNotices && (
          <Button component={Link} to="/app/report" variant="default">
            {t`Report something illegal`}
          </Button>
        )}
      </ContactAside>
    </Box>
  );
}
