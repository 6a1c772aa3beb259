import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useServiceConfig } from '../../api/service-config.ts';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { Well } from '../../ui/layout/Well.ts';
import { t } from '../../ui/text/text.ts';
import classes from './ReadingPage.module.css';

interface ReadingPageProps {
  title: string;
  /** When it was last changed. */
  lead: string;
  sections: readonly { title: string; paragraphs: readonly string[] }[];
  /** The question above the support button. */
  question: string;
}

/** A page of numbered sections, with the minimum age and a way to contact support. */
export function ReadingPage({ title, lead, sections, question }: ReadingPageProps) {
  const config = useServiceConfig();
  return (
    <Box w="100%" maw="50rem" mx="auto" pt="clamp(2rem, 1rem + 4vw, 4rem)" pb="4rem" px="1.25rem">
      <PageHeading mb="0.6rem" fz="clamp(1.9rem, 1.3rem + 2.6vw, 2.9rem)">
        {title}
      </PageHeading>
      <Text mb="2rem" c="dimmed" fz="lead">
        {lead}
      </Text>
      <Well mb="2rem" radius={0} fw={600} style={{ borderInlineStart: '4px solid var(--hw-accent)' }}>
        {t('Heartwood is not for people under 18.')}
      </Well>
      <Stack component="ol" gap={0}>
        {sections.map((section, index) => (
          <li key={section.title} className={classes.section}>
            <h2>{`${index + 1}. ${t(section.title)}`}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{t(paragraph)}</p>
            ))}
          </li>
        ))}
      </Stack>
      <Group
        component="aside"
        gap="1rem 2rem"
        justify="space-between"
        mt="2.5rem"
        py="1.4rem"
        px="1.5rem"
        bdrs="lg"
        bg="var(--hw-accent-soft)"
        aria-label={t('Contact')}
      >
        <div>
          <Text ff="heading" fz="1.2rem" fw={600}>
            {question}
          </Text>
          <Text mt="0.2rem">{t('Our support team is happy to help.')}</Text>
        </div>
        <SupportButton supportEmail={config?.supportEmail} />
      </Group>
    </Box>
  );
}

/** Opens a mail to the support team; disabled until its address is known. */
export function SupportButton({ supportEmail }: { supportEmail: string | undefined }) {
  const icon = <IconMail size={18} stroke={1.75} aria-hidden="true" />;
  return supportEmail ? (
    <Button component="a" href={`mailto:${supportEmail}`} leftSection={icon}>
      {t('Contact Support')}
    </Button>
  ) : (
    <Button disabled leftSection={icon}>
      {t('Contact Support')}
    </Button>
  );
}
