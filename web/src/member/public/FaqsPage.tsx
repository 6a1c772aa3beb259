import { Button } from '@mantine/core';
import { useServiceConfig } from '../../api/service-config.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { Link } from '../../ui/layout/Link.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { SupportButton } from '../../ui/feedback/SupportButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { faqTexts } from './faq-texts.ts';
import { newReportPage } from '../layout/member-pages.ts';
import classes from './ReadingPage.module.css';

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
            <Button component={Link} to="/app/support/new" variant="default" onPointerEnter={newReportPage.preload}>
              {t('Report a problem')}
            </Button>
          )}
          <SupportButton supportEmail={config?.supportEmail} />
        </div>
      </aside>
    </div>
  );
}
