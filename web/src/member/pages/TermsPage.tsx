import { termsVersion } from '#contract/constants.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { formatDay } from '../../ui/format.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { SupportButton } from '../../ui/SupportButton.tsx';
import { useLocale, useText } from '../../ui/text.ts';
import { termsTexts } from '../terms-texts.ts';
import classes from './Reading.module.css';

/** What joining means, in plain words. */
export function TermsPage() {
  const t = useText();
  const locale = useLocale();
  const config = useServiceConfig();
  return (
    <div className={classes.page}>
      <PageHeading className={classes.title}>{t('Terms')}</PageHeading>
      <p className={classes.lead}>{t('Last updated: {date}', { date: formatDay(termsVersion, locale) })}</p>
      <p className={classes.adults}>{t('Heartwood is not for people under 18.')}</p>
      <ol className={classes.sections}>
        {termsTexts.map(({ title, paragraphs }, index) => (
          <li key={title} className={classes.section}>
            <h2>{`${index + 1}. ${t(title)}`}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{t(paragraph)}</p>
            ))}
          </li>
        ))}
      </ol>
      <aside className={classes.contact} aria-label={t('Contact')}>
        <div>
          <p className={classes.contactTitle}>{t('Questions about these terms?')}</p>
          <p className={classes.contactText}>{t('Our support team answers them.')}</p>
        </div>
        <SupportButton supportEmail={config?.supportEmail} />
      </aside>
    </div>
  );
}
