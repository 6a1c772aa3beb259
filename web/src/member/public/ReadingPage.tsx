import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useServiceConfig } from '../../api/service-config.ts';
import { PageHeading } from '../../ui/layout/Page.tsx';
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
    <div className={classes.page}>
      <PageHeading className={classes.title}>{title}</PageHeading>
      <p className={classes.lead}>{lead}</p>
      <p className={classes.adults}>{t('Heartwood is not for people under 18.')}</p>
      <ol className={classes.sections}>
        {sections.map((section, index) => (
          <li key={section.title} className={classes.section}>
            <h2>{`${index + 1}. ${t(section.title)}`}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{t(paragraph)}</p>
            ))}
          </li>
        ))}
      </ol>
      <aside className={classes.contact} aria-label={t('Contact')}>
        <div>
          <p className={classes.contactTitle}>{question}</p>
          <p className={classes.contactText}>{t('Our support team is happy to help.')}</p>
        </div>
        <SupportButton supportEmail={config?.supportEmail} />
      </aside>
    </div>
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
